#pragma once

#include <span>
#include <vector>

#include "core/crowd/actor_records.h"
#include "core/detail/detail_plan.h"
#include "render/shadows/shadow_cascades.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// The actors that are drawn into a map, as runs of their order: those that reach into it, but for
// those that lie where pixels choose the next finer map. Runs with few actors between them are
// joined. `reach` is that of an actor of scale 1. Heights along the light do not count, because a
// map holds what is between it and the light, too.
std::vector<ActorRun> castersIn(const ShadowCascades& cascades, int map,
                                std::span<const gpu::CkPlace> places, const ActorReach& reach);

}  // namespace ck::render
