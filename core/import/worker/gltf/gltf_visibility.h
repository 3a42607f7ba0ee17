#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"

namespace tinygltf {
class Model;
}

// KHR_node_visibility: nodes that are hidden, and clips that show and hide them.
namespace ck::worker {

// When a clip shows a node. It holds from one key to the next.
struct VisibilityKeys {
  std::size_t clip = 0;       // into SourceScene::clips
  int node = -1;              // into SourceScene::nodes
  std::vector<double> times;  // seconds, ascending
  std::vector<bool> visible;  // one per key
};

// Leaves out meshes that no clip shows, and those for the first person of a VRM. A mesh without a
// skin that clips show and hide gets a node of its own, which is scaled to nothing while it is
// hidden. Skinned ones are always shown, with the note VisibilityFixed. A node is visible if it and
// all above it are. Called last.
void applyVisibility(const tinygltf::Model& model, std::span<const VisibilityKeys> keys,
                     SourceScene& scene);

}  // namespace ck::worker
