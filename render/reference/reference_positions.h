#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/scene/character.h"
#include "render/view/render_settings.h"

namespace ck::render {

// World positions computed in double on the processor, in the order of readBackPositions(): the
// atlas decoded and read as settings.method reads it, or the source clips with `fromSource`. For a
// method that poses clips, the joints of the source clips, with the faces of the other methods:
// baked weights and actors' own.
std::vector<glm::dvec3> referencePositions(const Character& character, const Atlas* atlas,
                                           const Crowd& crowd, const RenderSettings& settings,
                                           bool fromSource);

}  // namespace ck::render
