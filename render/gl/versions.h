#pragma once

#include <compare>

namespace ck::render {

// The OpenGL versions to request, core profile, best first. The renderer supports each of them, and
// nothing older than the last.
struct GlVersion {
  int major = 0;
  int minor = 0;
  auto operator<=>(const GlVersion&) const = default;
};
inline constexpr GlVersion kGlVersions[] = {{4, 5}, {4, 1}, {3, 3}};
inline constexpr GlVersion kOldestGl = {3, 3};

}  // namespace ck::render
