#pragma once

#include "core/scene/character.h"

namespace ck {

// The rig with its joints at rest where the skin binds them. Many exporters write the first frame
// of a clip as the rest of all nodes; the bind matrices are the same in every file of a skeleton.
//
// The joints of the meshes that share most joints are set, or all bound joints without meshes, up
// to the position and the facing of their mesh space: its vertical axis is the one that is nearest
// to model space at rest. The rig stays as it is if these joints rest as bound, or if their bones
// have other lengths there.
Rig rigAtBind(const Character& character);

// Adds keys to a clip of `from` that hold the pose of `from` in a rig that rests otherwise. Both
// have the same joints.
void holdRest(const Rig& from, const Rig& rests, Clip& clip);

}  // namespace ck
