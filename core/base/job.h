#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace ck {

// How a long-running function is cancelled and reports progress. It is passed by value, as the last
// parameter. The function must call stopRequested() at least once per clip and about once a
// millisecond. When that is true, the function returns ErrorCode::Cancelled and leaves no partial
// result behind.
struct JobContext {
  std::stop_token stop = {};
  // May be called from any thread and at any rate. `fraction` is in [0, 1]; `step` is text for the
  // user.
  std::function<void(float fraction, std::string_view step)> report = [](float, std::string_view) {
  };
  // Number of threads to use; 0 uses all cores. Results do not depend on this number.
  int threadCount = 0;

  bool stopRequested() const { return stop.stop_requested(); }

  // A context that maps a nested step's progress to the range [from, to] of this job.
  JobContext part(float from, float to) const {
    JobContext inner = *this;
    inner.report = [outer = report, from, to](float fraction, std::string_view step) {
      outer(from + (to - from) * fraction, step);
    };
    return inner;
  }
};

}  // namespace ck
