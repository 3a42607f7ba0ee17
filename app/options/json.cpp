#include "app/options/json.h"

#include "core/atlas/recipe_settings.h"

namespace ck::cli {

std::string documentText(const Json& document, int indent) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void addRecipe(Json& json, const BakeRecipe& recipe, bool onlySearched) {
  forEachSetting([&]<class Member>(const RecipeSetting<Member>& setting) {
    const Member& value = recipe.*setting.member;
    if (onlySearched && !setting.isSearched) return;
    if constexpr (kIsAutomatic<Member>) {
      if (value) json[setting.key] = setting.name(*value);
    } else if constexpr (kIsChoice<Member>) {
      json[setting.key] = setting.name(value);
    } else if constexpr (kIsAutomaticNumber<Member>) {
      if (value) json[setting.key] = *value;
    } else if (!std::is_same_v<Member, double> || value != BakeRecipe{}.*setting.member) {
      json[setting.key] = value;
    }
  });
}

Json notesJson(const Notes& notes) {
  return jsonList(notes, [](const Note& note) -> Json {
    return {{"level", noteLevelName(note.level)}, {"code", note.code}, {"message", note.message}};
  });
}

Json matrixJson(const glm::dmat4& matrix) {
  Json numbers = Json::array();
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) numbers.push_back(matrix[column][row]);
  }
  return numbers;
}

}  // namespace ck::cli
