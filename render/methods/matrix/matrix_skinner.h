#pragma once

#include "render/skinning/skinner.h"

namespace ck::render {

// Method `matrix`: the vertex shader fetches whole matrices, blends them by the weights and moves
// the vertex once. One indirect call draws all meshes of the character for the whole crowd;
// contexts without it take one instanced call a mesh.
template <>
SkinnerResult skinnerOf<Method::Matrix>(const SkinnerInput& input);

}  // namespace ck::render
