#include "app/commands/morph_options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/morph/morph_set.h"

namespace ck::cli {
namespace {

std::string unknown(const char* option, const std::string& name, const MorphSet& set) {
  std::string known;
  for (const NamedMorph& morph : set)
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", morph.name);
  return fmt::format("{}: the file has no morph target '{}'; it has {}", option, name,
                     known.empty() ? "none" : known);
}

}  // namespace

UsageResult<std::vector<MorphWeight>> morphWeights(const std::vector<std::string>& texts,
                                                   const Character& character) {
  const MorphSet set = morphSetOf(character);
  std::vector<MorphWeight> weights;
  for (const std::string& text : texts) {
    const std::size_t at = text.rfind('=');
    MorphWeight morph;
    bool good = at != std::string::npos;
    if (good) {
      morph.name = text.substr(0, at);
      const char* end = text.data() + text.size();
      const auto read = std::from_chars(text.data() + at + 1, end, morph.weight);
      good = read.ec == std::errc() && read.ptr == end &&
             std::abs(morph.weight) <= kLargestMorphWeight;
    }
    if (!good) {
      return tl::unexpected(
          fmt::format("--morph: '{}' is not NAME=WEIGHT with a weight from {} to "
                      "{}",
                      text, -kLargestMorphWeight, kLargestMorphWeight));
    }
    if (findMorph(set, morph.name) < 0) return tl::unexpected(unknown("--morph", morph.name, set));
    weights.push_back(std::move(morph));
  }
  return weights;
}

UsageResult<std::vector<std::string>> morphNames(const std::vector<std::string>& names,
                                                 const Character& character) {
  const MorphSet set = morphSetOf(character);
  for (const std::string& name : names) {
    if (findMorph(set, name) < 0) return tl::unexpected(unknown("--vary-morph", name, set));
  }
  return names;
}

}  // namespace ck::cli
