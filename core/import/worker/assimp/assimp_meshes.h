#pragma once

#include "core/import/rig_format.h"
#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/assimp/assimp_nodes.h"

struct aiScene;

// The meshes of an aiScene with their influences and morph targets.
namespace ck::worker {

Result<void> addAssimpMeshes(const aiScene& source, RigKind kind, const AssimpNodes& nodes,
                             SourceScene& scene);

}  // namespace ck::worker
