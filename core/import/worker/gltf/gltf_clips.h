#pragma once

#include "core/import/worker/assembly/source_scene.h"

namespace tinygltf {
class Model;
}

// The animations of a glTF document.
namespace ck::worker {

// Called after the meshes, because morph tracks refer to them.
void addGltfClips(const tinygltf::Model& model, SourceScene& scene);

}  // namespace ck::worker
