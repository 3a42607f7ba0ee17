#pragma once

#include <cstddef>
#include <span>

namespace ck::worker {

// Faults for tests, requested through the environment variable CROWDKILN_IMPORT_FAULT. Before the
// file is read: "hang", "crash", "abort", "garbage", "flood-output", "flood-errors", "memory",
// "busy", "forbidden" (a system call that no reader needs), "suspend". After it: "half" (half of
// the result, then SIGKILL). Without the variable nothing happens. A program that is built without
// CROWDKILN_WORKER_FAULTS, as shipped, has no faults.
#ifdef CK_WORKER_FAULTS
void provokeFaultBefore();
void provokeFaultAfter(std::span<const std::byte> result);
#else
inline void provokeFaultBefore() {}
inline void provokeFaultAfter(std::span<const std::byte>) {}
#endif

}  // namespace ck::worker
