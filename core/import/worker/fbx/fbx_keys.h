#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"

namespace ck::worker {

// Refuses a text or binary FBX with a curve key that is not finite or beyond 1e9. Assimp steps from
// one rotation to the next in increments of 180 degrees, so a key of 1e20 would hang it. Compressed
// (deflated) keys are not checked.
Result<void> checkFbxKeys(std::span<const std::byte> bytes);

}  // namespace ck::worker
