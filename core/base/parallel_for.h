#pragma once

#include <cstddef>
#include <functional>

#include "core/base/job.h"

namespace ck {

// How many threads a job has: job.threadCount, or one per core where that is 0.
std::size_t threadsOf(const JobContext& job);

// Calls `body(index)` once for each index in [0, count), on up to threadsOf(job) threads. Each call
// may write only data that belongs to its index, so that the result does not depend on the number
// of threads. When the job is cancelled, no further calls start and the function returns false. An
// exception from `body` is rethrown on the calling thread.
bool parallelFor(std::size_t count, const JobContext& job,
                 const std::function<void(std::size_t index)>& body);

// Lowers the priority of the calling thread, and so of all threads that it starts later. It cannot
// be raised again. On Linux, a thread that shares a core with one of the usual priority then gets a
// tenth of it; elsewhere this does nothing.
void lowerThreadPriority();

}  // namespace ck
