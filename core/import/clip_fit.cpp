#include "core/import/clip_fit.h"

namespace ck {

std::string_view upAxisName(UpAxis axis) {
  constexpr std::string_view kNames[] = {"auto", "x", "y", "z"};
  return kNames[static_cast<std::size_t>(axis)];
}

std::string_view restFitName(RestFit fit) {
  constexpr std::string_view kNames[] = {"auto", "keep", "offset"};
  return kNames[static_cast<std::size_t>(fit)];
}

std::string_view matchRuleName(MatchRule rule) {
  constexpr std::string_view kNames[] = {"none", "exact", "case", "prefix", "synonym", "by hand"};
  return kNames[static_cast<std::size_t>(rule)];
}

}  // namespace ck
