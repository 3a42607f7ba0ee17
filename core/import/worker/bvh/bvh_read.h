#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Reads BVH (Biovision hierarchy and motion): the joints with their OFFSETs as rest, one clip
// without a name, and a stick figure to see them by. Y up, no stated unit (read as metres). Frame i
// is at i * "Frame Time".
//
// A joint's rotation is the product of its rotation channels in the order the file lists them.
// Position channels are where the joint lies in its parent and take the place of the OFFSET, axis
// by axis. Older descriptions of the format add the OFFSET of the root to its positions; the
// exporters of today (Blender, MotionBuilder and motion capture tools) write positions that hold it
// already, and adding it again tears limbs with position channels off. The two readings differ only
// where a joint with position channels has an OFFSET; a root like that is noted as "RootOffset".
//
// Errors: InvalidInput with the line, LimitExceeded.
Result<SourceScene> readBvh(const RigSource& source);

}  // namespace ck::worker
