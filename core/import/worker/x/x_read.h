#pragma once

#include "core/import/worker/formats/rig_reader.h"

// X is DirectX's format of text or binary records, packed or not. File space is left-handed with y
// up; the format has no unit, so units are read as metres.
namespace ck::worker {

// Frames become nodes, the polygons of a mesh a mesh per material, animation sets clips. Keys of
// files that do not say how many ticks a second has are read at 4,800, as DirectX does. Images are
// looked for beside the file. Errors: InvalidInput with the line, Unsupported, LimitExceeded.
Result<SourceScene> readX(const RigSource& source);

}  // namespace ck::worker
