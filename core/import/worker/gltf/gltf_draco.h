#pragma once

#include "core/base/result.h"

namespace tinygltf {
class Model;
}

// KHR_draco_mesh_compression: primitives that are packed by Draco.
namespace ck::worker {

// Unpacks every primitive that is packed: its triangles and attributes get accessors of their own.
// Attributes beside the packed ones (morph targets) stay as they are; their order of vertices is
// the same. Errors name the mesh: InvalidInput, LimitExceeded.
Result<void> unpackDracoMeshes(tinygltf::Model& model);

}  // namespace ck::worker
