#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "render/view/crowd_renderer.h"

namespace ck::render {

// Results of the GPU for all vertices of all visible actors, by transform feedback: actor-major,
// vertices in Character order (meshes in order, including hidden ones). In a split view, those of
// the right half. All fail as drawing does, and with LimitExceeded (memory).

// World positions. Without an `eye` all actors count as near.
Result<std::vector<glm::vec3>> readBackPositions(CrowdRenderer& renderer, const CrowdView& crowd,
                                                 const RenderSettings& settings,
                                                 std::optional<glm::vec3> eye = {});

// The distance that each vertex has moved between the last two ticks, in metres, as the motion view
// shows it (`settings` must show it): in the world, or relative to the view if both ticks have a
// `camera`.
Result<std::vector<glm::vec3>> readBackMotion(CrowdRenderer& renderer, const CrowdView& crowd,
                                              const RenderSettings& settings,
                                              const Camera* camera = nullptr);

// World tangents: unit xyz, orthogonal to the normal, and w, the sign of the bitangent, as the
// tangents view shows them (`settings` must show it). All 0 for meshes without tangents.
Result<std::vector<glm::vec4>> readBackTangents(CrowdRenderer& renderer, const CrowdView& crowd,
                                                const RenderSettings& settings);

// World normals as light at the vertices is computed from: unit, or 0 where the length is 0;
// outward for mirrored actors, inward where a joint mirrors.
Result<std::vector<glm::vec3>> readBackNormals(CrowdRenderer& renderer, const CrowdView& crowd,
                                               const RenderSettings& settings);

}  // namespace ck::render
