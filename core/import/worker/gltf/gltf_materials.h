#pragma once

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

namespace tinygltf {
class Model;
}

// The materials of a glTF document with their images.
namespace ck::worker {

void addGltfMaterials(const tinygltf::Model& model, SourceFolder& folder, SourceScene& scene);

}  // namespace ck::worker
