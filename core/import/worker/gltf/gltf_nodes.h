#pragma once

#include "core/import/worker/assembly/source_scene.h"

namespace tinygltf {
class Model;
}

// The nodes and skins of a glTF document. Node indices are those of the document.
namespace ck::worker {

Result<void> addGltfNodes(const tinygltf::Model& model, SourceScene& scene);
Result<void> addGltfSkins(const tinygltf::Model& model, SourceScene& scene);

}  // namespace ck::worker
