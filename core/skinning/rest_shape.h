#pragma once

#include "core/scene/character.h"

namespace ck {

// The character at rest, as a static object. Vertices are skinned at rest with the default morph
// weights and then bound to one joint at the model's origin. The result has no clips and no morph
// targets; meshes, materials and images are kept. Where joints mirror a part, its normals point
// outwards and its triangles wind accordingly.
Character restShape(const Character& character);

}  // namespace ck
