#pragma once

#include <optional>
#include <string_view>

#include "core/atlas/encoding.h"
#include "core/atlas/pose_code.h"

namespace ck {

// How frames are placed in the texture (shaders/shared/atlas_address.glsl).
enum class LayoutKind {
  Rows,    // one frame per row, clips stacked; a new column block starts at the height limit
  Tiles,   // one clip per square tile, time downwards, tiles side by side and then below
  Linear,  // one line of texels, frame after frame, wrapped at the texture's width
};
std::string_view layoutKindName(LayoutKind kind);  // "rows", "tiles", "linear"

// The set of values that share one range.
enum class RangeMode { Atlas, Joint, JointClip };
std::string_view rangeModeName(RangeMode mode);  // "atlas", "joint", "joint-clip"

inline constexpr double kMostReduceMm = 1000.0;
inline constexpr double kMostSeamMm = 1000.0;

// The settings of a bake that its atlas keeps. A new one is a member here and a row of
// core/atlas/recipe_settings.h, which says how files, options and messages name it.
struct BakeRecipe {
  // Default: P16, or M16 for clips that stretch parts as P16 cannot hold (chooseEncoding()).
  std::optional<Encoding> encoding = {};
  LayoutKind layout = LayoutKind::Rows;
  // Default: the fewest components whose loss is below kAutoLossMm.
  std::optional<Components> components = {};
  std::optional<RangeMode> rangeMode = {};  // default: rangeModeFor()
  int influences = 4;                       // 1, 2 or 4: that shaders are meant to read
  bool interpolate = true;
  // Frames are left out as far as interpolation moves no vertex by more than this many millimetres,
  // for smaller textures (core/bake/reduced_frames.h). 0: none are. reduceMmFor()
  double reduceMm = 0.0;
  // How far a vertex may be moved to close a loop, in millimetres, 0 to kMostSeamMm; default: by
  // the figure's size (seamLimitMm(), core/anim/loop_gap.h).
  std::optional<double> seamMm = {};
  bool operator==(const BakeRecipe&) const = default;
};

// That of an atlas, or what a bake is asked for; P16 if the recipe leaves it to the bake, which
// then takes M16 at most: of the same texel format, but with other texels and ranges.
Encoding encodingOf(const BakeRecipe& recipe);
const EncodingInfo& encodingInfo(const BakeRecipe& recipe);

// All components if the recipe leaves them to the bake.
TexelCode codeOf(const BakeRecipe& recipe);

// The range mode of a bake: that of the recipe, else the one that EncodingInfo::rangesPerClip
// implies. Joint if the encoding has no ranges.
RangeMode rangeModeFor(const BakeRecipe& recipe);

// How far frames are left out: not at all (0) if the nearest frame is shown.
double reduceMmFor(const BakeRecipe& recipe);

}  // namespace ck
