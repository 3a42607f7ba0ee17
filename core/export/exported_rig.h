#pragma once

#include "core/atlas/atlas.h"
#include "core/export/sidecar_json.h"
#include "core/scene/character.h"

namespace ck {

// The facts that the sidecar of an atlas has about the character that it was baked from.
//
// The boxes of frames: a vertex lies between the places that its joints give it, so a box is that
// of the posed boxes around each joint's vertices. It contains every vertex as the atlas stores it,
// morphs included, and may be larger than needed, unlike AtlasClip::bounds, which fits the
// unmorphed source.
ExportedRig exportedRig(const Character& character, const Atlas& atlas);

}  // namespace ck
