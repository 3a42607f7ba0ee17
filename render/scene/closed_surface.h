#pragma once

#include "core/scene/character.h"

namespace ck::render {

// Whether back faces of the whole character can be culled: every mesh has a
// single-sided material, or is closed and opaque, and no joint mirrors its vertices, at rest or in
// a clip.
bool showsFrontsOnly(const Character& character);

}  // namespace ck::render
