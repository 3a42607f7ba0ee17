#pragma once

#include "core/import/worker/assembly/source_scene.h"

namespace tinygltf {
class Model;
}

// The scene of a glTF document: nodes with the indices of the document, skins, and meshes with
// their influences and morph targets.
namespace ck::worker {

Result<void> addGltfNodes(const tinygltf::Model& model, SourceScene& scene);
Result<void> addGltfSkins(const tinygltf::Model& model, SourceScene& scene);
Result<void> addGltfMeshes(const tinygltf::Model& model, SourceScene& scene);

}  // namespace ck::worker
