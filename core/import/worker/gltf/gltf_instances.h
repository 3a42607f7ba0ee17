#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "core/base/result.h"
#include "core/scene/mesh.h"

namespace tinygltf {
class Model;
class Node;
}  // namespace tinygltf

// Meshes that a glTF node shows at many places (EXT_mesh_gpu_instancing).
namespace ck::worker {

// The places of a node's mesh relative to the node; empty without the extension. Places that cannot
// be read, and those of a skinned mesh, are left out with the note InstancesUnused; the others have
// the note MeshRepeated. Fails with LimitExceeded for more than 100,000 places.
Result<std::vector<glm::dmat4>> gltfInstances(const tinygltf::Model& model,
                                              const tinygltf::Node& node, Notes& notes);

// One mesh with a copy of `mesh` at each place, which must not be singular. Influences are those of
// each vertex.
Mesh repeated(const Mesh& mesh, const std::vector<glm::dmat4>& places);

}  // namespace ck::worker
