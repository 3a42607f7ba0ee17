#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "core/atlas/bake_recipe.h"
#include "core/base/result.h"

namespace ck::cli {

// Keys are written in the order in which they are added.
using Json = nlohmann::ordered_json;

// A document as text, a line per value, or on one line if `indent` is -1. Bytes that are not UTF-8
// are replaced.
std::string documentText(const Json& document, int indent = 1);

// A list with what `describe` makes of each element.
template <class Range, class Describe>
Json jsonList(const Range& range, const Describe& describe) {
  Json list = Json::array();
  for (const auto& each : range) list.push_back(std::invoke(describe, each));
  return list;
}

// Adds the settings of a recipe, without those that are left to the bake and default numbers.
void addRecipe(Json& json, const BakeRecipe& recipe, bool onlySearched = false);

Json notesJson(const Notes& notes);
Json matrixJson(const glm::dmat4& matrix);  // 16 numbers, column by column

}  // namespace ck::cli
