#pragma once

#include "core/anim/root_way.h"
#include "core/base/result.h"
#include "core/scene/character.h"
#include "core/scene/clip_edit.h"

namespace ck {

// The joint that carries a clip over the ground. Candidates are the joints whose own translation
// moves them sideways in model space; the one with the most skin joints below it is chosen, and the
// topmost among equals. Joints above a candidate keep their pose of the clip's start. -1 if no
// joint qualifies.
int travellingJoint(const Rig& rig, const Clip& clip);

// Takes a clip's way over the ground out of it (RootMotion::Strip): the root stays above its first
// position, in the axes of the edit. Exact: keys are moved, and no other joint changes. If the
// clip has no known ground speed, it gets its speed along +Z. Fails with InvalidInput if the rig
// has no joint of the edit's name.
Result<void> stripRoot(const Rig& rig, const RootEdit& edit, Clip& clip);

// Takes the way out and returns it (RootMotion::Extract), so that at every key, for every joint,
//   toMatrix(placeAt(way, t)) * its global matrix now == its global matrix before.
// The root is the joint of the edit, or travellingJoint(), or, of a clip that stays at its place,
// the topmost joint that turns. Its turn about the vertical axis (the twist of its turn since the
// start) and its position in the axes of the edit become the way.
//
// The remaining motion is written into the topmost joints of the rig as linear keys: at the keys of
// the joints from there to the root and, if that would be off by more than half a millimetre a
// metre from the root, at those of all joints and between them, evenly, up to 120 a second. Splines
// are sampled so. Fails with InvalidInput if the rig has no joint of the edit's name, if step keys
// move the root, and if a node that stretches or shears lies above the topmost joints and the turn
// is to be taken out.
Result<RootWay> extractRoot(const Rig& rig, const RootEdit& edit, Clip& clip);

}  // namespace ck
