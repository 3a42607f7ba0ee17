#pragma once

#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

// Adds the clips of `from` to a copy of `rig`. Joints are matched by name (joint_names.h), and keys
// are adapted to the rig; notes list the changes and the unmatched joints. Fails with InvalidInput
// if `from` has no clip or no clip moves a joint or morph target of the rig.
//
// Lengths: translations are multiplied by the ratio of the two files' units, including scales of
// nodes above the joints (e.g. an armature of 0.01). Space: at joints without a matched ancestor,
// keys are rotated and moved so that the joint has the same place in model space (e.g. with another
// up axis or a rotated armature). All other local keys are unchanged.
//
// Proportions: if more than half of the bones differ in length from the rig's by over 5 %, the clip
// was made for another body. The rig then keeps its own bone lengths: constant translations are
// dropped, and moving translations (mostly of the hips) are scaled by the ratio of all bone
// lengths.
Result<Character> addClips(const Character& rig, const Character& from);

}  // namespace ck
