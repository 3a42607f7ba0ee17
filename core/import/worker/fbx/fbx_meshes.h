#pragma once

#include "core/import/worker/fbx/fbx_nodes.h"
#include "core/import/worker/fbx/fbx_shapes.h"

namespace ck::worker {

// Adds the meshes of all visible models, one per material, with their skins and blend shapes, and
// the joints that no mesh is bound to. `materialOf` is indexed as FbxScene::objects. Returns the
// channels of all meshes. Adds notes. Fails with InvalidInput and LimitExceeded.
Result<FbxShapes> addFbxMeshes(const FbxScene& file, const FbxNodes& nodes,
                               const std::vector<int>& materialOf, SourceScene& scene);

}  // namespace ck::worker
