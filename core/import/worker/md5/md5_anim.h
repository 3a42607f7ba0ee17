#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// The hierarchy with the base frame as its rest, and one clip without a name. Frame i is at
// i / frameRate. Parts of a joint that the frames do not give hold the base frame.
// Errors: InvalidInput with the line.
Result<SourceScene> readMd5Anim(const RigSource& source);

}  // namespace ck::worker
