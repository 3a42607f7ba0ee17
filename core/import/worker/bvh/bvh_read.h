#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Reads BVH (Biovision hierarchy and motion): joints with their OFFSETs as rest pose, one unnamed
// clip, and a stick figure as mesh. Y up; the format has no unit, so units are read as metres.
// Frame i is at i * "Frame Time".
//
// A joint's rotation is the product of its rotation channels in file order. Position channels give
// the joint's position relative to its parent and replace the OFFSET, axis by axis. Older
// descriptions of the format add the OFFSET of the root to its positions. Current exporters
// (Blender, MotionBuilder, motion capture tools) write positions that include it, and adding it
// again would displace limbs that have position channels. The two interpretations differ only if a
// joint with position channels has an OFFSET; for a root this gives the note "RootOffset".
//
// Errors: InvalidInput with the line, LimitExceeded.
Result<SourceScene> readBvh(const RigSource& source);

}  // namespace ck::worker
