#include "core/crowd/actor_morphs.h"

#include <algorithm>
#include <cmath>

namespace ck {
namespace {

std::vector<float> bakedAt(const MorphSet& set, const Atlas* atlas, const CrowdClip& clip,
                           double unit) {
  std::vector<float> weights = defaultWeights(set);
  if (atlas == nullptr || atlas->morphs.clips.empty()) return weights;
  // An actor whose clip was not baked shows the first frame of the atlas.
  const bool isBaked = clip.atlasClip >= 0;
  const int shown = isBaked ? clip.atlasClip : 0;
  const std::vector<float> baked =
      bakedMorphWeights(atlas->morphs, shown, isBaked ? unit : 0.0,
                        frameGridOf(atlas->clips[static_cast<std::size_t>(shown)]));
  for (std::size_t i = 0; i < baked.size(); ++i) {
    for (const int morph : morphsNamed(set, atlas->morphs.names[i])) {
      weights[static_cast<std::size_t>(morph)] = baked[i];
    }
  }
  return weights;
}

}  // namespace

std::vector<float> actorMorphs(const MorphSet& set, const Atlas* atlas, const Crowd& crowd,
                               std::size_t visible, bool fades) {
  const auto weightsAt = [&](int clip, double unit) {
    return bakedAt(set, atlas, crowd.clips()[static_cast<std::size_t>(clip)], unit);
  };
  std::vector<float> weights = weightsAt(crowd.clipOf(visible), crowd.unitOf(visible));
  if (const auto fade = fades ? crowd.fadeOf(visible) : std::nullopt) {
    const std::vector<float> second = weightsAt(fade->clip, fade->unit);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] += static_cast<float>(fade->blend) * (second[i] - weights[i]);
    }
  }
  setOwnMorphs(set, crowd, visible, weights);
  return weights;
}

void setOwnMorphs(const MorphSet& set, const Crowd& crowd, std::size_t visible,
                  std::span<float> weights) {
  for (const CrowdMorph& own : crowd.morphsOf(visible)) {
    if (!(std::abs(own.weight) <= kLargestMorphWeight)) continue;
    const std::string& name = crowd.morphNames()[static_cast<std::size_t>(own.name)];
    for (const int morph : morphsNamed(set, name)) {
      weights[static_cast<std::size_t>(morph)] = own.weight;
    }
  }
}

}  // namespace ck
