#include "core/atlas/atlas_morphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/anim/playback.h"
#include "core/base/assert.h"
#include "core/base/utf8.h"
#include "core/morph/morph_weight.h"

namespace ck {
namespace {

tl::unexpected<Error> bad(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

bool isWeight(float weight) {
  return std::abs(weight) <= kLargestMorphWeight;
}

Result<void> checkClip(const AtlasMorphs& morphs, const AtlasClipMorphs& clip, int frameCount) {
  if (clip.kept.size() > kMorphSlots) {
    return bad(fmt::format("a clip of the atlas keeps {} morph targets, and {} can be kept",
                           clip.kept.size(), kMorphSlots));
  }
  int last = -1;
  for (const MorphSlot& slot : clip.kept) {
    if (slot.morph <= last || slot.morph >= static_cast<int>(morphs.names.size())) {
      return bad("a clip of the atlas names a morph target that is not there, or out of order");
    }
    if (!isWeight(slot.low) || !(slot.size >= 0.0f) || !isWeight(slot.low + slot.size)) {
      return bad("a clip of the atlas has morph weights that make no sense");
    }
    last = slot.morph;
  }
  const std::size_t due =
      clip.kept.empty() ? 0 : static_cast<std::size_t>(frameCount) * kMorphSlots;
  if (clip.weights.size() != due) {
    return bad(fmt::format("a clip of the atlas has {} bytes of morph weights and needs {}",
                           clip.weights.size(), due));
  }
  for (std::size_t i = 0; i < clip.weights.size(); ++i) {
    if (i % kMorphSlots >= clip.kept.size() && clip.weights[i] != 0) {
      return bad("a clip of the atlas has morph weights where it keeps no target");
    }
  }
  if (!(clip.lossMm >= 0.0) || !std::isfinite(clip.lossMm)) {
    return bad("a clip of the atlas has a morph loss that makes no sense");
  }
  return {};
}

std::vector<float> weightsBetween(const AtlasMorphs& morphs, const AtlasClipMorphs& own,
                                  const FramePair& pair) {
  std::vector<float> weights = morphs.defaults;
  for (std::size_t s = 0; s < own.kept.size(); ++s) {
    const auto byteAt = [&](int frame) {
      return static_cast<double>(own.weights[static_cast<std::size_t>(frame * kMorphSlots) + s]);
    };
    const double byte = byteAt(pair.frame0) * (1.0 - pair.alpha) + byteAt(pair.frame1) * pair.alpha;
    const MorphSlot& slot = own.kept[s];
    weights[static_cast<std::size_t>(slot.morph)] =
        static_cast<float>(slot.low + slot.size * (byte / 255.0));
  }
  return weights;
}

}  // namespace

Result<void> checkMorphs(const AtlasMorphs& morphs, const std::vector<int>& frameCounts) {
  if (morphs.empty()) {
    if (morphs.defaults.empty() && morphs.clips.empty()) return {};
    return bad("the atlas has morph weights without morph targets");
  }
  if (morphs.defaults.size() != morphs.names.size() || morphs.clips.size() != frameCounts.size()) {
    return bad("the atlas has morph targets that do not fit its clips");
  }
  for (std::size_t i = 0; i < morphs.names.size(); ++i) {
    if (!isUtf8(morphs.names[i])) return bad("a morph target has a name that is not UTF-8");
    if (!isWeight(morphs.defaults[i])) {
      return bad(fmt::format("morph target '{}' has a default weight of {}", morphs.names[i],
                             morphs.defaults[i]));
    }
  }
  for (std::size_t c = 0; c < morphs.clips.size(); ++c) {
    if (auto ok = checkClip(morphs, morphs.clips[c], frameCounts[c]); !ok) return ok;
  }
  return {};
}

std::vector<float> bakedMorphWeights(const AtlasMorphs& morphs, int clip, double unit,
                                     std::span<const int> stepFrames) {
  CK_ASSERT(clip >= 0 && static_cast<std::size_t>(clip) < morphs.clips.size());
  const AtlasClipMorphs& own = morphs.clips[static_cast<std::size_t>(clip)];
  if (own.kept.empty()) return morphs.defaults;
  const int frameCount = static_cast<int>(own.weights.size()) / kMorphSlots;
  return weightsBetween(morphs, own, framesAt(unit, frameCount, stepFrames));
}

std::vector<float> storedMorphWeights(const AtlasMorphs& morphs, int clip, int frame) {
  CK_ASSERT(clip >= 0 && static_cast<std::size_t>(clip) < morphs.clips.size());
  return weightsBetween(morphs, morphs.clips[static_cast<std::size_t>(clip)], {frame, frame, 0.0});
}

}  // namespace ck
