#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "core/atlas/bake_recipe.h"

namespace ck {

class JsonFields;

template <class Member>
struct SettingValue {
  using Type = Member;
  static const Type& of(const Member& member) { return member; }
};
template <class Value>
struct SettingValue<std::optional<Value>> {
  using Type = Value;
  static const Type& of(const std::optional<Value>& member) { return *member; }
};

// The kinds of settings: a choice is an enumeration, or an optional one that may be left to the
// bake, which is the word "auto"; an int is a count, a bool a switch, a double a number, which may
// be left to the bake as well.
template <class Member>
inline constexpr bool kIsChoice = std::is_enum_v<typename SettingValue<Member>::Type>;
template <class Member>
inline constexpr bool kIsAutomatic = kIsChoice<Member> && !std::is_enum_v<Member>;
// A number that may be left to the bake, which is the word "auto".
template <class Member>
inline constexpr bool kIsAutomaticNumber = std::is_same_v<Member, std::optional<double>>;

// A setting of BakeRecipe, with everything that files, options and messages say of it.
template <class Member>
struct RecipeSetting {
  using Value = typename SettingValue<Member>::Type;
  const char* key;     // in JSON: of projects, sidecars and results; a default number is left out
  const char* option;  // of the command line
  const char* help;
  bool (*named)(const EncodingInfo&) = nullptr;  // the encodings that {} in the help stands for
  Member BakeRecipe::*member;
  std::span<const Value> values = {};         // in the order of the help; the ends of a number
  std::string_view (*name)(Value) = nullptr;  // of a choice
  const char* unit = nullptr;                 // of a number
  // A sentence for a file with another value, which {} in it stands for.
  const char* wrong;
  bool isSearched = true;     // by findAtlas()
  bool isAmongFacts = false;  // in a sidecar it is not at the top, but beside what depends on it

  bool isPossible(const Value& value) const {
    if constexpr (std::is_same_v<Value, double>) {
      return value >= values.front() && value <= values.back();
    } else {
      return values.empty() || std::ranges::find(values, value) != values.end();
    }
  }
  // A value as the command line has it.
  std::string text(const Member& value) const {
    if constexpr (kIsAutomatic<Member>) {
      return value ? std::string(name(*value)) : "auto";
    } else if constexpr (kIsChoice<Member>) {
      return std::string(name(value));
    } else if constexpr (kIsAutomaticNumber<Member>) {
      return value ? fmt::format("{}", *value) : "auto";
    } else if constexpr (std::is_same_v<Value, bool>) {
      return value ? "on" : "off";
    } else {
      return fmt::format("{}", value);
    }
  }
};

namespace recipe_values {

inline constexpr auto kEncodingList = [] {
  std::array<Encoding, std::size(kEncodings)> all{};
  std::ranges::transform(kEncodings, all.begin(), &EncodingInfo::encoding);
  return all;
}();
inline constexpr LayoutKind kLayouts[] = {LayoutKind::Rows, LayoutKind::Tiles, LayoutKind::Linear};
inline constexpr Components kComponents[] = {Components::Trs, Components::Tr, Components::R};
inline constexpr RangeMode kRangeModes[] = {RangeMode::Joint, RangeMode::Atlas,
                                            RangeMode::JointClip};
inline constexpr int kInfluences[] = {1, 2, 4};
inline constexpr double kReduceMm[] = {0.0, kMostReduceMm};
inline constexpr double kSeamMm[] = {0.0, kMostSeamMm};

}  // namespace recipe_values

// All settings, in the order of the files.
inline constexpr std::tuple kRecipeSettings = {
    RecipeSetting<std::optional<Encoding>>{
        .key = "encoding",
        .option = "--encoding",
        .help = "How a pose becomes texels (auto: P16, or M16 where clips stretch parts in a way "
                "that P16 cannot hold)",
        .member = &BakeRecipe::encoding,
        .values = recipe_values::kEncodingList,
        .name = encodingName,
        .wrong = "the file has an encoding or layout that this version does not know",
        .isAmongFacts = true},
    RecipeSetting<LayoutKind>{
        .key = "layout",
        .option = "--layout",
        .help = "Where the frames lie (default: rows; linear for {})",
        .named = storesMatrices,
        .member = &BakeRecipe::layout,
        .values = recipe_values::kLayouts,
        .name = layoutKindName,
        .wrong = "the file has an encoding or layout that this version does not know",
        .isAmongFacts = true},
    RecipeSetting<std::optional<Components>>{
        .key = "components",
        .option = "--components",
        .help = "What of a pose {} store: position (t), rotation, scale (auto: the fewest that "
                "lose less than 0.1 mm)",
        .named = storesComponents,
        .member = &BakeRecipe::components,
        .values = recipe_values::kComponents,
        .name = componentsName,
        .wrong = "the file has components that this version does not know",
        .isAmongFacts = true},
    RecipeSetting<std::optional<RangeMode>>{
        .key = "range",
        .option = "--range",
        .help = "Which values share a range (auto: joint-clip for {}, else joint)",
        .named = measuresClips,
        .member = &BakeRecipe::rangeMode,
        .values = recipe_values::kRangeModes,
        .name = rangeModeName,
        .wrong = "the file has ranges of an unknown kind",
        .isAmongFacts = true},
    RecipeSetting<int>{.key = "influences",
                       .option = "--influences",
                       .help = "Influences per vertex (default: 4)",
                       .member = &BakeRecipe::influences,
                       .values = recipe_values::kInfluences,
                       .wrong = "the atlas is for {} influences; 1, 2 and 4 make sense"},
    RecipeSetting<bool>{.key = "interpolate",
                        .option = "--interpolate",
                        .help = "Between frames",
                        .member = &BakeRecipe::interpolate,
                        .wrong = "the file has a switch that is neither on nor off",
                        .isSearched = false},
    RecipeSetting<double>{
        .key = "reduceMm",
        .option = "--reduce",
        .help = "Leave out frames that interpolation gives back so that no vertex moves by more "
                "than so many millimetres (default: 0, none)",
        .member = &BakeRecipe::reduceMm,
        .values = recipe_values::kReduceMm,
        .unit = "MM",
        .wrong = "the atlas leaves out frames that move vertices by {} mm; 0 to 1000 make sense"},
    RecipeSetting<std::optional<double>>{
        .key = "seamMm",
        .option = "--seam-mm",
        .help = "How far a vertex may be moved to close a loop (default: auto, 1/500 of the "
                "figure's longest side, 3.6 mm for 1.8 m)",
        .member = &BakeRecipe::seamMm,
        .values = recipe_values::kSeamMm,
        .unit = "MM|auto",
        .wrong = "the atlas closes loops by moving vertices by {} mm; 0 to 1000 make sense",
        .isSearched = false}};

// Calls `use` with each of them.
void forEachSetting(auto&& use) {
  std::apply([&use](const auto&... settings) { (use(settings), ...); }, kRecipeSettings);
}

// Reads or writes the settings under their keys, without those that are left to the bake; for a
// sidecar `withFacts` is false.
void describeRecipe(JsonFields& fields, BakeRecipe& recipe, bool withFacts = true);

}  // namespace ck
