#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/names.h"

namespace ck {

// How much of each actor is drawn.
enum class DetailMode {
  // As much as can be seen: simpler meshes, then pictures, then points, with the distance; actors
  // that are not in view are left out.
  Auto,
  Full,  // every actor by its whole mesh
};
inline constexpr std::string_view kDetailModeNames[] = {"auto", "off"};

inline constexpr double kFewestDetailPixels = 0.25;
inline constexpr double kMostDetailPixels = 16.0;

// The largest budgets.
inline constexpr int kMostDetailTriangles = 1'000'000'000;
inline constexpr std::int64_t kMostDetailBytes = std::int64_t{16} << 30;

// The tints that show levels of detail, 0xRRGGBB: of meshes, from the whole one on (those beyond
// the end have the last one), of pictures, and of points.
inline constexpr std::uint32_t kLevelTints[] = {0x46a758, 0xb0c531, 0xf0b429,
                                                0xf27a2c, 0xe0453a, 0xb8316a};
inline constexpr std::uint32_t kPictureTint = 0x9a5bd6;
inline constexpr std::uint32_t kPointTint = 0x3f8ae0;

// Levels of detail (core/detail/detail_plan.h). They belong to crowds that are large enough for it.
struct DetailSettings {
  DetailMode mode = DetailMode::Auto;
  // How far anything may be from where it would be at full detail, in pixels.
  double pixels = 1.0;
  // Whether a window may allow more pixels while it cannot keep up otherwise.
  bool keepsUp = true;
  // The triangles of all actors in one pass at most, besides those that actors leave behind while
  // they dissolve; far actors are off by more pixels where that is needed.
  // 0: no limit.
  std::size_t mostTriangles = 0;
  // Bytes of graphics memory for simpler meshes and pictures at most, shared out evenly among the
  // characters; what does not fit is left out. 0: what makeDetailLevels() finds, and 16 MiB of
  // pictures for each character.
  std::size_t mostBytes = 0;
  bool tinted = false;  // whether actors are tinted by their level (kLevelTints)
  bool operator==(const DetailSettings&) const = default;
};

}  // namespace ck
