#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/scene/clip_edit.h"

namespace ck {

// How the seam of a clip is determined: measured, or chosen by the artist.
enum class SeamChoice { Auto, Inclusive, Exclusive, None };
std::string_view seamChoiceName(SeamChoice choice);  // "auto", "inclusive", "exclusive", "none"

// One clip to bake. If BakeSettings::clips is empty, all clips are baked with the defaults.
struct BakeClip {
  std::string name;                   // as in Character::clips
  std::optional<LoopMode> loop = {};  // default: Loop if the clip has a seam, else Once
  SeamChoice seam = SeamChoice::Auto;
  std::string title = {};  // name in the atlas, unique there; empty: `name`
  ClipEdit edit = {};
  bool operator==(const BakeClip&) const = default;
};

// The settings of a bake. The defaults are those of the command line.
struct BakeSettings : BakeRecipe {
  std::vector<BakeClip> clips;
  int tile = 256;           // Tiles layout: the side of a tile in texels
  bool powerOfTwo = false;  // Rows layout: width and height are powers of two
  int textureWidth = 0;     // in texels; 0: as needed
  int textureHeight = 0;
  // The number of frames: the clip's own key grid, or `rateHz` frames per second if > 0, or exactly
  // `frames` frames per clip if > 0. `frames` has priority.
  double rateHz = 0.0;
  int frames = 0;
  MorphForm morphs = {};  // of the weights of morph targets, for characters that have some
  Reading reading = Reading::Palette;
  int maxTextureSize = 16384;
  bool operator==(const BakeSettings&) const = default;
};

// The recipe that an atlas of these settings keeps, if the bake chose `components`. The settings
// name an encoding.
BakeRecipe statedRecipe(const BakeSettings& settings, Components components);

// The command line's default layout for an encoding: Linear for matrix encodings, else Rows.
LayoutKind usualLayout(Encoding encoding);

}  // namespace ck
