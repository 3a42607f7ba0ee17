#pragma once

#include <compare>

namespace ck::render {

// The versions of OpenGL that contexts are asked for, core profile, the best first: the renderer is
// made for each of them, and runs on no older one than the last.
struct GlVersion {
  int major = 0;
  int minor = 0;
  auto operator<=>(const GlVersion&) const = default;
};
inline constexpr GlVersion kGlVersions[] = {{4, 5}, {4, 1}, {3, 3}};
inline constexpr GlVersion kOldestGl = {3, 3};

}  // namespace ck::render
