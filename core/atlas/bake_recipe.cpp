#include "core/atlas/bake_recipe.h"

#include <fmt/ranges.h>

#include "core/atlas/recipe_settings.h"
#include "core/base/json_fields.h"

namespace ck {
namespace {

constexpr std::string_view kLayoutKinds[] = {"rows", "tiles", "linear"};
constexpr std::string_view kRangeModes[] = {"atlas", "joint", "joint-clip"};

}  // namespace

std::string_view layoutKindName(LayoutKind kind) {
  return kLayoutKinds[static_cast<std::size_t>(kind)];
}

std::string_view rangeModeName(RangeMode mode) {
  return kRangeModes[static_cast<std::size_t>(mode)];
}

Encoding encodingOf(const BakeRecipe& recipe) {
  return recipe.encoding.value_or(Encoding::P16);
}

const EncodingInfo& encodingInfo(const BakeRecipe& recipe) {
  return encodingInfo(encodingOf(recipe));
}

TexelCode codeOf(const BakeRecipe& recipe) {
  return {encodingOf(recipe), recipe.components.value_or(Components::Trs)};
}

RangeMode rangeModeFor(const BakeRecipe& recipe) {
  if (rangesPerJoint({encodingOf(recipe), Components::Trs}) == 0) return RangeMode::Joint;
  const bool perClip = encodingInfo(recipe).rangesPerClip;
  return recipe.rangeMode.value_or(perClip ? RangeMode::JointClip : RangeMode::Joint);
}

double reduceMmFor(const BakeRecipe& recipe) {
  return recipe.interpolate ? recipe.reduceMm : 0.0;
}

void describeRecipe(JsonFields& fields, BakeRecipe& recipe, bool withFacts) {
  forEachSetting([&]<class Member>(const RecipeSetting<Member>& setting) {
    if (setting.isAmongFacts && !withFacts) return;
    Member& value = recipe.*setting.member;
    if constexpr (kIsAutomatic<Member>) {
      fields.optionalChoice(setting.key, value, setting.name, std::ranges::max(setting.values));
    } else if constexpr (kIsChoice<Member>) {
      fields.choice(setting.key, value, setting.name, std::ranges::max(setting.values));
    } else if constexpr (std::is_same_v<Member, bool>) {
      fields.flag(setting.key, value);
    } else if constexpr (kIsAutomaticNumber<Member>) {
      if (!fields.has(setting.key, value.has_value())) return;
      double number = value.value_or(0.0);
      fields.number(setting.key, number, setting.values.front(), setting.values.back());
      value = number;
    } else if constexpr (std::is_same_v<Member, double>) {
      if (!fields.has(setting.key, value != BakeRecipe{}.*setting.member)) return;
      fields.number(setting.key, value, setting.values.front(), setting.values.back());
    } else {
      fields.integer(setting.key, value, setting.values.front(), setting.values.back());
      if (setting.isPossible(value)) return;
      fields.wrong(setting.key,
                   fmt::format("is {}, not {} or {}", value,
                               fmt::join(setting.values.first(setting.values.size() - 1), ", "),
                               setting.values.back()));
    }
  });
}

}  // namespace ck
