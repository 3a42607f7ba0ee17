#pragma once

#include "core/import/worker/assembly/source_scene.h"

namespace tinygltf {
class Model;
}

// The meshes of a glTF document with their influences and morph targets.
namespace ck::worker {

Result<void> addGltfMeshes(const tinygltf::Model& model, SourceScene& scene);

}  // namespace ck::worker
