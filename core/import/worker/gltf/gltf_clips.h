#pragma once

#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/gltf/gltf_visibility.h"

namespace tinygltf {
class Model;
}

// The animations of a glTF document.
namespace ck::worker {

// Called after the meshes, because morph tracks refer to them. Pointers of KHR_animation_pointer to
// the movement, the morph weights and the visibility of nodes are read; others become one note.
// Returns the keys that show and hide nodes.
std::vector<VisibilityKeys> addGltfClips(const tinygltf::Model& model, SourceScene& scene);

}  // namespace ck::worker
