#pragma once

#include "core/base/result.h"
#include "core/scene/character.h"
#include "core/scene/clip_edit.h"

namespace ck {

// The joint that carries a clip over the ground: of those whose own translation moves them
// sideways in model space, the one that most skin joints hang on, the topmost of equals. -1 where
// none moves. Joints above it count as they stand at the clip's start.
int travellingJoint(const Rig& rig, const Clip& clip);

// A clip that moves as `clip` does within the shape's trim, at its rate, and, where `inPlace`, with
// the travelling joint kept above its first place (model x and z; height stays). Cutting is exact:
// linear, stepped and spline tracks get keys at the ends that continue them as they were. The new
// clip starts at the trim's start on the file's timeline and lasts (end - start) / rate seconds.
// A clip without a known ground speed that is put in place gets the speed that it had along +Z.
// Fails with InvalidInput where the trim is not inside the clip or the rate out of range.
Result<Clip> editedClip(const Rig& rig, const Clip& clip, const ClipEdit& shape);

}  // namespace ck
