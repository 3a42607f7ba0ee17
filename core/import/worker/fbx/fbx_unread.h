#pragma once

#include <vector>

#include "core/import/worker/fbx/fbx_animation.h"
#include "core/import/worker/fbx/fbx_nodes.h"

namespace ck::worker {

// Adds a note for each kind of object that moves something in the file and is not read: constraints
// of models that have no curves of their own, and caches of vertices in files outside.
void noteUnread(const FbxScene& file, const std::vector<FbxAnimation>& animations,
                const FbxNodes& nodes, Notes& notes);

}  // namespace ck::worker
