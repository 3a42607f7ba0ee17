#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "render/view/crowd_renderer.h"

namespace ck::render {

// What the GPU computes of all vertices of every visible actor, by transform feedback: actor by
// actor, vertices in Character order (meshes one after another, hidden ones included). Of two
// halves of a picture the right one. All fail as drawing does, and with LimitExceeded (memory).

// World positions. Without an `eye` all faces are near.
Result<std::vector<glm::vec3>> readBackPositions(CrowdRenderer& renderer, const CrowdView& crowd,
                                                 const RenderSettings& settings,
                                                 std::optional<glm::vec3> eye = {});

// How far each vertex has moved between the last two ticks, in metres of the world, as the motion
// view (which `settings` must show) has it: in the world, or, where both ticks have a `camera`,
// before it.
Result<std::vector<glm::vec3>> readBackMotion(CrowdRenderer& renderer, const CrowdView& crowd,
                                              const RenderSettings& settings,
                                              const Camera* camera = nullptr);

// World tangents, unit xyz at right angles to the normal, w the side of the bitangent, as the
// tangents view (which `settings` must show) has them; all 0 for vertices of meshes without.
Result<std::vector<glm::vec4>> readBackTangents(CrowdRenderer& renderer, const CrowdView& crowd,
                                                const RenderSettings& settings);

}  // namespace ck::render
