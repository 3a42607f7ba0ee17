#pragma once

#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/morph/morph_set.h"

namespace ck {

// The weights of the set for a visible actor: the baked weights of its clips, blended where it
// fades, then its own weights. `atlas` may be null. If `fades` is false, the second clip is
// ignored.
std::vector<float> actorMorphs(const MorphSet& set, const Atlas* atlas, const Crowd& crowd,
                               std::size_t visible, bool fades);

// Overwrites weights of the set with the actor's own weights.
void setOwnMorphs(const MorphSet& set, const Crowd& crowd, std::size_t visible,
                  std::span<float> weights);

}  // namespace ck
