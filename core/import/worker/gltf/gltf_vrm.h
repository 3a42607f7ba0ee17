#pragma once

#include <vector>

namespace tinygltf {
class Model;
}

// The extensions of VRM, a kind of glTF for figures: VRM (version 0) and VRMC_vrm (version 1).
namespace ck::worker {

// Whether the figure looks along -Z, as in version 0. Others look along +Z.
bool looksBackwards(const tinygltf::Model& model);

// Whether a node's mesh is made for a camera in the figure's own eyes: a second body without the
// head. One per node.
std::vector<bool> firstPersonNodes(const tinygltf::Model& model);

}  // namespace ck::worker
