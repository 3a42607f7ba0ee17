#pragma once

#include "core/base/result.h"

namespace tinygltf {
class Model;
}

// EXT_meshopt_compression: buffer views that are packed by meshoptimizer, as gltfpack writes them.
namespace ck::worker {

// Unpacks every buffer view that is packed; it then lies in a buffer of its own. Sizes are held
// against the packed bytes before anything is allocated. Errors name the buffer view: InvalidInput;
// Unsupported for forms that came after EXT_meshopt_compression; LimitExceeded.
Result<void> unpackBufferViews(tinygltf::Model& model);

}  // namespace ck::worker
