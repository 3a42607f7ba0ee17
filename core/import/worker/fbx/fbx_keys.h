#pragma once

#include <span>

#include "core/base/result.h"

namespace ck::worker {

// Refuses an FBX, in text or binary, of which a key of a curve is no number or beyond 1e9: the
// reader goes from one rotation to the next in steps of half a turn, for ever where it is 1e20
// away. Keys that are packed (deflated) are not looked at.
Result<void> checkFbxKeys(std::span<const std::byte> bytes);

}  // namespace ck::worker
