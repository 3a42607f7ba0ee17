#pragma once

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// Makes a Character. Repairs invalid data, makes names unique, and chooses the joints: every joint
// of a skin, every animated node above or between them, and every animated node with a mesh. Static
// nodes between joints become Joint::preTransform. Applies source.sourceToModel. Adds a note for
// every change. Errors: InvalidInput, LimitExceeded.
Result<Character> assembleCharacter(SourceScene scene);

}  // namespace ck::worker
