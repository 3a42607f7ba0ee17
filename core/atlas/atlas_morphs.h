#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/anim/playback.h"
#include "core/base/result.h"

namespace ck {

inline constexpr int kMostMorphSlots = 64;

// How an atlas keeps the weights of a frame. The defaults are two RGBA8 texels.
struct MorphForm {
  int slotCount = 8;  // how many morphs a clip can keep: 1 to kMostMorphSlots
  int bits = 8;       // of each weight: 8 or 16
  int steps() const { return bits == 16 ? 65535 : 255; }  // the largest stored number
  bool operator==(const MorphForm&) const = default;
};
// Fails with InvalidInput for numbers that are not possible.
Result<void> checkMorphForm(const MorphForm& form);

// A morph that a clip keeps. weight = low + size * number / MorphForm::steps().
struct MorphSlot {
  int morph = 0;  // into AtlasMorphs::names
  float low = 0.0f;
  float size = 0.0f;  // >= 0
  bool operator==(const MorphSlot&) const = default;
};

// The baked weights of one clip.
struct AtlasClipMorphs {
  std::vector<MorphSlot> kept;  // at most MorphForm::slotCount, ascending by morph
  // MorphForm::slotCount numbers per frame of the clip, 0 for unused slots; empty if no morph is
  // kept.
  std::vector<std::uint16_t> weights;
  // The largest displacement of a vertex from the source's morphs in the rest pose, at the
  // moments and halfway between. Caused by the steps of the numbers, interpolation and morphs
  // without a slot.
  double lossMm = 0.0;
  bool operator==(const AtlasClipMorphs&) const = default;
};

// Baked weights of morph targets (docs/techniques.md 5.2). Empty for characters without morphs.
// Weights between frames are interpolated linearly.
struct AtlasMorphs {
  std::vector<std::string> names;      // all morphs of the character (core/morph/morph_set.h)
  std::vector<float> defaults;         // weights in clips that do not keep the morph
  std::vector<AtlasClipMorphs> clips;  // one per clip of the atlas; empty if there are no names
  MorphForm form = {};                 // of all clips; the default if there are no names
  bool empty() const { return names.empty(); }
  bool operator==(const AtlasMorphs&) const = default;
};

// Checks everything that this header promises. `frameCounts` has one entry per clip.
Result<void> checkMorphs(const AtlasMorphs& morphs, const std::vector<int>& frameCounts);

// The weights of a clip at `unit` in [0, 1], one per name. Morphs that the clip does not keep have
// their default. `grid` is that of the clip.
std::vector<float> bakedMorphWeights(const AtlasMorphs& morphs, int clip, double unit,
                                     const FrameGrid& grid);

// The weights at a stored frame of a clip, counted from its first.
std::vector<float> storedMorphWeights(const AtlasMorphs& morphs, int clip, int frame);

}  // namespace ck
