#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Read FBX, Collada and X through Assimp, as it gives them: FBX pivots are not kept, and curves are
// straight between keys; an FBX import carries the note "ProvisionalReader". Assimp sees only its
// reader of that format, and only files of the folder. May crash on damaged files.
Result<SourceScene> readFbx(const RigSource& source);
Result<SourceScene> readCollada(const RigSource& source);
Result<SourceScene> readX(const RigSource& source);

}  // namespace ck::worker
