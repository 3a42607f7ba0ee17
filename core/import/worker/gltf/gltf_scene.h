#pragma once

#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/gltf/gltf_materials.h"

namespace tinygltf {
class Model;
}

// The scene of a glTF document: nodes with the indices of the document, skins, and meshes with
// their influences and morph targets.
namespace ck::worker {

Result<void> addGltfNodes(const tinygltf::Model& model, SourceScene& scene);
Result<void> addGltfSkins(const tinygltf::Model& model, SourceScene& scene);
// `uvSets`: of each material. Meshes of hidden nodes are left out, and meshes that the file places
// many times are copied; both with a note.
Result<void> addGltfMeshes(const tinygltf::Model& model, const std::vector<GltfUvSets>& uvSets,
                           SourceScene& scene);

}  // namespace ck::worker
