#include "core/base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace ck {

std::size_t threadsOf(const JobContext& job) {
  return job.threadCount > 0 ? static_cast<std::size_t>(job.threadCount)
                             : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

bool parallelFor(std::size_t count, const JobContext& job,
                 const std::function<void(std::size_t index)>& body) {
  const std::size_t threadCount = std::min(threadsOf(job), count);

  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failureMutex;
  const auto work = [&] {
    try {
      while (!job.stopRequested()) {
        const std::size_t index = next.fetch_add(1);
        if (index >= count) return;
        body(index);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failureMutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };

  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t i = 1; i < threadCount; ++i) helpers.emplace_back(work);
    } catch (const std::system_error&) {
      // A system that gives no more threads makes this slower, not impossible.
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return !job.stopRequested();
}

void lowerThreadPriority() {
#ifdef __linux__
  // On Linux every thread has a nice value of its own, where POSIX has one for the whole process
  // (setpriority(2)).
  constexpr int kNiceSteps = 10;
  const auto own = static_cast<id_t>(gettid());
  setpriority(PRIO_PROCESS, own, getpriority(PRIO_PROCESS, own) + kNiceSteps);
#endif
}

}  // namespace ck
