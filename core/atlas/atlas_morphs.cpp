#include "core/atlas/atlas_morphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  const auto slots = static_cast<std::size_t>(morphs.form.slotCount);
  if (clip.kept.size() > slots) {
    return bad(fmt::format("a clip of the atlas keeps {} morph targets, and {} can be kept",
                           clip.kept.size(), slots));
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
  const std::size_t due = clip.kept.empty() ? 0 : static_cast<std::size_t>(frameCount) * slots;
  if (clip.weights.size() != due) {
    return bad(fmt::format("a clip of the atlas has {} morph weights and needs {}",
                           clip.weights.size(), due));
  }
  for (std::size_t i = 0; i < clip.weights.size(); ++i) {
    if (i % slots >= clip.kept.size() && clip.weights[i] != 0) {
      return bad("a clip of the atlas has morph weights where it keeps no target");
    }
    if (clip.weights[i] > morphs.form.steps()) {
      return bad(fmt::format("a clip of the atlas has a morph weight that {} bits do not hold",
                             morphs.form.bits));
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
    const auto numberAt = [&](int frame) {
      const auto first =
          static_cast<std::size_t>(frame) * static_cast<std::size_t>(morphs.form.slotCount);
      return static_cast<double>(own.weights[first + s]);
    };
    const double number =
        numberAt(pair.frame0) * (1.0 - pair.alpha) + numberAt(pair.frame1) * pair.alpha;
    const MorphSlot& slot = own.kept[s];
    weights[static_cast<std::size_t>(slot.morph)] =
        static_cast<float>(slot.low + slot.size * (number / morphs.form.steps()));
  }
  return weights;
}

}  // namespace

Result<void> checkMorphForm(const MorphForm& form) {
  if (form.slotCount < 1 || form.slotCount > kMostMorphSlots) {
    return bad(fmt::format("{} morph targets of a clip cannot be kept; 1 to {} can", form.slotCount,
                           kMostMorphSlots));
  }
  if (form.bits != 8 && form.bits != 16) {
    return bad(fmt::format("morph weights of {} bits cannot be kept; 8 and 16 can", form.bits));
  }
  return {};
}

Result<void> checkMorphs(const AtlasMorphs& morphs, const std::vector<int>& frameCounts) {
  if (morphs.empty()) {
    if (morphs.defaults.empty() && morphs.clips.empty() && morphs.form == MorphForm{}) return {};
    return bad("the atlas has morph weights without morph targets");
  }
  if (auto ok = checkMorphForm(morphs.form); !ok) return ok;
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
                                     const FrameGrid& grid) {
  CK_ASSERT(clip >= 0 && static_cast<std::size_t>(clip) < morphs.clips.size());
  const AtlasClipMorphs& own = morphs.clips[static_cast<std::size_t>(clip)];
  if (own.kept.empty()) return morphs.defaults;
  return weightsBetween(morphs, own, framesAt(unit, grid));
}

std::vector<float> storedMorphWeights(const AtlasMorphs& morphs, int clip, int frame) {
  CK_ASSERT(clip >= 0 && static_cast<std::size_t>(clip) < morphs.clips.size());
  return weightsBetween(morphs, morphs.clips[static_cast<std::size_t>(clip)], {frame, frame, 0.0});
}

}  // namespace ck
