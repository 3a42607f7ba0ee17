#pragma once

#include "core/base/result.h"
#include "core/scene/character.h"
#include "core/scene/clip_edit.h"

namespace ck {

// The joint that carries a clip over the ground. Candidates are the joints whose own translation
// moves them sideways in model space; the one with the most skin joints below it is chosen, and the
// topmost among equals. Joints above a candidate keep their pose of the clip's start. -1 if no
// joint qualifies.
int travellingJoint(const Rig& rig, const Clip& clip);

// Applies a clip edit: trim, rate and, with `inPlace`, removal of the movement over the ground. In
// place, the travelling joint stays above its first position (model x and z; the height is kept).
// Trimming is exact: linear, stepped and cubic tracks get keys at both ends that continue the
// original curve. A track that begins or ends inside the trim is held there as before. The new clip
// starts at the trim's start on the file's timeline and lasts (end - start) / rate seconds. If the
// clip has no known ground speed, an in-place clip gets its speed along +Z. Fails with InvalidInput
// if the trim is not inside the clip or the rate is out of range.
Result<Clip> editedClip(const Rig& rig, const Clip& clip, const ClipEdit& edit);

}  // namespace ck
