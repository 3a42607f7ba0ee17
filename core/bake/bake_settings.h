#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/scene/clip_edit.h"

namespace ck {

// How seams are judged: by measure, or as the artist says.
enum class SeamChoice { Auto, Inclusive, Exclusive, None };
std::string_view seamChoiceName(SeamChoice choice);  // "auto", "inclusive", "exclusive", "none"

// One clip to bake. Empty `clips` in BakeSettings bakes all with the defaults.
struct BakeClip {
  std::string name;                   // as in Character::clips
  std::optional<LoopMode> loop = {};  // default: Loop where a seam was found, else Once
  SeamChoice seam = SeamChoice::Auto;
  std::string title = {};  // what the atlas calls it; empty: `name`. Unique in the atlas
  ClipEdit shape = {};
  bool operator==(const BakeClip&) const = default;
};

// What to bake and how. The defaults are those of the command line.
struct BakeSettings {
  std::vector<BakeClip> clips;
  Encoding encoding = Encoding::P16;
  LayoutKind layout = LayoutKind::Rows;
  std::optional<RangeMode> rangeMode = {};  // default: as rangeModeFor says
  // Default: the fewest whose loss is below kAutoLossMm.
  std::optional<Components> components = {};
  int tile = 256;           // layout tiles: the side of a tile in texels
  bool powerOfTwo = false;  // layout rows: width and height are powers of two
  int textureWidth = 0;     // in texels; 0: as is needed
  int textureHeight = 0;
  // Rows in time: the clip's own key grid, or `rateHz` frames a second where > 0, or exactly
  // `frames` frames per clip where > 0 (which wins).
  double rateHz = 0.0;
  int frames = 0;
  int influences = 4;  // 1, 2 or 4
  bool interpolate = true;
  Reading reading = Reading::Palette;
  int maxTextureSize = 16384;
  bool operator==(const BakeSettings&) const = default;
};

// The ranges that a bake will have: those of the settings, else as EncodingInfo::rangesPerClip
// says. Joint where the encoding has no ranges.
RangeMode rangeModeFor(const BakeSettings& settings);

// The layout that the command line chooses for an encoding: Linear for whole matrices, else Rows.
LayoutKind usualLayout(Encoding encoding);

}  // namespace ck
