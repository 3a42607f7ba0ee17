#pragma once

#include "core/import/worker/fbx/fbx_materials.h"
#include "core/import/worker/fbx/fbx_nodes.h"
#include "core/import/worker/fbx/fbx_shapes.h"

namespace ck::worker {

// Adds the meshes of all visible models, one per material, with their skins and blend shapes, and
// the joints that no mesh is bound to. Returns the channels of all meshes. Adds notes. Fails with
// InvalidInput and LimitExceeded.
Result<FbxShapes> addFbxMeshes(const FbxScene& file, const FbxNodes& nodes,
                               const FbxMaterials& materials, SourceScene& scene);

}  // namespace ck::worker
