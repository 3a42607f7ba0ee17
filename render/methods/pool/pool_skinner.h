#pragma once

#include "render/skinning/skinner.h"

namespace ck::render {

// Method `pool`, for far actors: the skin matrices of all stored frames are in one buffer, computed
// once per bake (docs/techniques.md 4.1). No pass runs in a tick. Between frames, vertex shaders
// interpolate two matrices directly, which shortens limbs at large rotations; the nearest frame
// costs half as much. A second clip is blended in world space.
template <>
SkinnerResult skinnerOf<Method::Pool>(const SkinnerInput& input);

}  // namespace ck::render
