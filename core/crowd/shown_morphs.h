#pragma once

#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/morph/morph_set.h"

namespace ck {

// What the actors of a crowd show of a character's shapes: the weights that were baked with their
// clips, of both where an actor fades, and then those that it has of its own. The arguments must
// outlive it; `atlas` may be null.
class ShownMorphs {
 public:
  ShownMorphs(const MorphSet& set, const Atlas* atlas, const Crowd& crowd);

  // Weights of the set for a visible actor; with `fades` off without its second clip.
  std::vector<float> weightsOf(std::size_t visible, bool fades) const;

  // Puts the actor's own weights in.
  void setOwn(std::size_t visible, std::span<float> weights) const;

 private:
  std::vector<float> bakedAt(int crowdClip, double unit) const;

  const MorphSet& set_;
  const Atlas* atlas_;
  const Crowd& crowd_;
  std::vector<int> ofAtlas_;  // for every name of the atlas the shape of the set, or -1
  std::vector<int> ofCrowd_;  // for every name that actors know, likewise
};

}  // namespace ck
