#pragma once

#include <cstddef>
#include <span>

namespace ck::worker {

// Faults that tests ask for through the environment variable CROWDKILN_IMPORT_FAULT, to see that a
// host survives them: "hang", "crash", "abort", "garbage", "flood-output", "flood-errors",
// "memory", "busy" before the file is read, "half" (half the result, then SIGKILL) after. Without
// the variable nothing happens.
void provokeFaultBefore();
void provokeFaultAfter(std::span<const std::byte> result);

}  // namespace ck::worker
