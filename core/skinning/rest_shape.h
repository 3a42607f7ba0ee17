#pragma once

#include "core/scene/character.h"

namespace ck {

// A character as it stands at rest, as a thing that does not move: every vertex where its joints
// put it at rest with the default morph weights, all of them on one joint at the model's origin. No
// clips and no morph targets; meshes, materials and pictures as they are. Parts that joints mirror
// have their normals outside and their triangles wound as seen from there.
Character restShape(const Character& character);

}  // namespace ck
