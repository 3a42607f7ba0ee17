#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace ck {

// How a long function hears "stop" and says how far it is. Passed by value, as the last parameter.
// A function asks stopRequested() at least once per clip and about once a millisecond, returns
// ErrorCode::Cancelled then, and leaves nothing half-made behind.
struct JobContext {
  std::stop_token stop = {};
  // Called from any thread, at any rate; `fraction` is in [0, 1], `step` is for people.
  std::function<void(float fraction, std::string_view step)> report = [](float, std::string_view) {
  };
  // Threads to use; 0 takes what the machine has. Results never depend on it.
  int threadCount = 0;

  bool stopRequested() const { return stop.stop_requested(); }

  // The slice [from, to] of this job's progress, for a nested step.
  JobContext part(float from, float to) const;
};

}  // namespace ck
