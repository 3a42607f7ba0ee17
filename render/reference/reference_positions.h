#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/scene/character.h"
#include "render/view/render_settings.h"

namespace ck::render {

// Reference world positions, computed on the CPU in double, in the order of readBackPositions():
// from the atlas, as settings.view.pose.method reads it, or from the source clips with
// `fromSource`. For a method that poses clips, joints are those of the source clips, with baked and
// own morph weights as in the other methods.
std::vector<glm::dvec3> referencePositions(const Character& character, const Atlas* atlas,
                                           const Crowd& crowd, const RenderSettings& settings,
                                           bool fromSource);

}  // namespace ck::render
