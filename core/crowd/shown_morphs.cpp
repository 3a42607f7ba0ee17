#include "core/crowd/shown_morphs.h"

#include <algorithm>
#include <cmath>

namespace ck {

ShownMorphs::ShownMorphs(const MorphSet& set, const Atlas* atlas, const Crowd& crowd)
    : set_(set), atlas_(atlas), crowd_(crowd) {
  if (atlas != nullptr) {
    for (const std::string& name : atlas->morphs.names) ofAtlas_.push_back(findMorph(set, name));
  }
  for (const std::string& name : crowd.morphNames()) ofCrowd_.push_back(findMorph(set, name));
}

std::vector<float> ShownMorphs::bakedAt(int crowdClip, double unit) const {
  std::vector<float> weights = defaultWeights(set_);
  if (ofAtlas_.empty() || atlas_->morphs.clips.empty()) return weights;
  // An actor whose clip was not baked shows the first frame of the atlas.
  const int clip = crowd_.clips()[static_cast<std::size_t>(crowdClip)].atlasClip;
  const std::vector<float> baked =
      bakedMorphWeights(atlas_->morphs, std::max(clip, 0), clip < 0 ? 0.0 : unit);
  for (std::size_t i = 0; i < baked.size(); ++i) {
    if (ofAtlas_[i] >= 0) weights[static_cast<std::size_t>(ofAtlas_[i])] = baked[i];
  }
  return weights;
}

std::vector<float> ShownMorphs::weightsOf(std::size_t visible, bool fades) const {
  std::vector<float> weights = bakedAt(crowd_.clipOf(visible), crowd_.unitOf(visible));
  const auto fade = fades ? crowd_.fadeOf(visible) : std::nullopt;
  if (fade) {
    const std::vector<float> second = bakedAt(fade->clip, fade->unit);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] += static_cast<float>(fade->blend) * (second[i] - weights[i]);
    }
  }
  setOwn(visible, weights);
  return weights;
}

void ShownMorphs::setOwn(std::size_t visible, std::span<float> weights) const {
  for (const CrowdMorph& own : crowd_.morphsOf(visible)) {
    const int morph = ofCrowd_[static_cast<std::size_t>(own.name)];
    if (morph < 0 || !(std::abs(own.weight) <= kLargestMorphWeight)) continue;
    weights[static_cast<std::size_t>(morph)] = own.weight;
  }
}

}  // namespace ck
