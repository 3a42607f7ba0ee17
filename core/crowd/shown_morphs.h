#pragma once

#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/morph/morph_set.h"

namespace ck {

// Computes the morph weights of a crowd's actors: the baked weights of their clips, blended where
// an actor fades, then the actor's own weights. The arguments must outlive it; `atlas` may be null.
class ShownMorphs {
 public:
  ShownMorphs(const MorphSet& set, const Atlas* atlas, const Crowd& crowd);

  // Weights of the set for a visible actor. If `fades` is false, the second clip is ignored.
  std::vector<float> weightsOf(std::size_t visible, bool fades) const;

  // Overwrites entries with the actor's own weights.
  void setOwn(std::size_t visible, std::span<float> weights) const;

 private:
  std::vector<float> bakedAt(int crowdClip, double unit) const;

  const MorphSet& set_;
  const Atlas* atlas_;
  const Crowd& crowd_;
  std::vector<int> ofAtlas_;  // for every name of the atlas, the index in the set or -1
  std::vector<int> ofCrowd_;  // for every morph name of the crowd, the index in the set or -1
};

}  // namespace ck
