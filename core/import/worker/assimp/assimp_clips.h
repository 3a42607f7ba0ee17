#pragma once

#include "core/import/rig_format.h"
#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/assimp/assimp_scene.h"

struct aiScene;

// The animations of an aiScene.
namespace ck::worker {

// Called after the meshes, because morph tracks refer to them.
void addAssimpClips(const aiScene& source, RigKind kind, const AssimpNodes& nodes,
                    SourceScene& scene);

}  // namespace ck::worker
