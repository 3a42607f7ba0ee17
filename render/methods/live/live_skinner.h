#pragma once

#include "render/skinning/skinner.h"

namespace ck::render {

// Method `live`: the CPU poses every actor in each tick from the clips, without an atlas, and
// uploads joint matrices. The GPU multiplies them by each skin joint's inverse bind matrix into a
// palette and draws like the method palette. The atlas only determines the clips and their edits.
template <>
SkinnerResult skinnerOf<Method::Live>(const SkinnerInput& input);

}  // namespace ck::render
