#include "app/bench/bench_timing.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace ck::cli {
namespace {

using Clock = std::chrono::steady_clock;

double processSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) * 0.5;
}

double spreadOf(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double middle = median(values);
  return middle > 0.0 ? (*high - *low) / middle : 0.0;
}

Result<Runs> measure(const JobContext& job, std::size_t fewest,
                     const std::function<Result<void>()>& work) {
  if (auto ok = work(); !ok) return tl::unexpected(ok.error());
  Runs runs;
  const Clock::time_point start = Clock::now();
  while (runs.wall.size() < fewest ||
         (Clock::now() - start < std::chrono::milliseconds(250) && runs.wall.size() < 200)) {
    if (job.stopRequested()) return fail(ErrorCode::Cancelled, "interrupted");
    const double processor = processSeconds();
    const Clock::time_point wall = Clock::now();
    if (auto ok = work(); !ok) return tl::unexpected(ok.error());
    runs.wall.push_back(std::chrono::duration<double>(Clock::now() - wall).count());
    runs.processor.push_back(processSeconds() - processor);
  }
  return runs;
}

}  // namespace ck::cli
