#pragma once

#include <cstddef>
#include <span>

namespace ck::worker {

// Faults for tests, requested through the environment variable CROWDKILN_IMPORT_FAULT. Before the
// file is read: "hang", "crash", "abort", "garbage", "flood-output", "flood-errors", "memory",
// "busy". After it: "half" (half of the result, then SIGKILL). Without the variable nothing
// happens.
void provokeFaultBefore();
void provokeFaultAfter(std::span<const std::byte> result);

}  // namespace ck::worker
