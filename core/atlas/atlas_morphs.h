#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ck {

// As many shapes as a clip can keep: two RGBA8 texels a frame.
inline constexpr int kMorphSlots = 8;

// A shape that a clip keeps. Its weight is low + size * byte / 255.
struct MorphSlot {
  int morph = 0;  // into AtlasMorphs::names
  float low = 0.0f;
  float size = 0.0f;  // >= 0
  bool operator==(const MorphSlot&) const = default;
};

// The baked weights of one clip.
struct AtlasClipMorphs {
  std::vector<MorphSlot> kept;  // at most kMorphSlots, ascending by morph
  // kMorphSlots bytes for every frame of the clip, 0 where there is no slot; none without slots.
  std::vector<std::uint8_t> weights;
  // The farthest that a vertex is from where all shapes of the source put it, at rest, on the
  // frames and halfway between them: 8-bit steps, interpolation and shapes that found no slot.
  double lossMm = 0.0;
  bool operator==(const AtlasClipMorphs&) const = default;
};

// Weights of morph targets beside the joints of an atlas (TECHNIQUES 4). Empty for characters
// without shapes. Between frames weights lerp as the joints do.
struct AtlasMorphs {
  std::vector<std::string> names;      // of all shapes of the character (core/morph/morph_set.h)
  std::vector<float> defaults;         // what clips that do not keep a shape show of it
  std::vector<AtlasClipMorphs> clips;  // one per clip of the atlas; none without names
  bool empty() const { return names.empty(); }
  bool operator==(const AtlasMorphs&) const = default;
};

// Checks all that the comments above promise, for an atlas with clips of so many frames.
Result<void> checkMorphs(const AtlasMorphs& morphs, const std::vector<int>& frameCounts);

// The weights of a clip at `unit` in [0, 1], one per name: defaults where it keeps none.
std::vector<float> bakedMorphWeights(const AtlasMorphs& morphs, int clip, double unit);

}  // namespace ck
