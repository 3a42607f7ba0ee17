#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Refuses: Blender's own files are read by Blender (core/import/blender_export.h), before a worker
// gets the export. A file that arrives here only has the ending.
Result<SourceScene> readBlend(const RigSource& source);

}  // namespace ck::worker
