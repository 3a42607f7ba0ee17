#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Read Collada and X through Assimp, as it gives them. Assimp sees only its reader of that format,
// and only files of the folder. May crash on damaged files.
Result<SourceScene> readCollada(const RigSource& source);
Result<SourceScene> readX(const RigSource& source);

}  // namespace ck::worker
