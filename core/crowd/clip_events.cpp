#include "core/crowd/clip_events.h"

#include <algorithm>
#include <cmath>

namespace ck {
namespace {

constexpr double kMostPasses = 4096.0;

struct Passing {
  const FadeSide& side;
  double rate;
  const TimeStep& step;
};

// Appends passes of `cycles` that repeat with `period`. The time of each pass is computed from its
// index alone, so that adjacent steps agree on which of them contains it.
void appendPeriodic(const Passing& passing, double cycles, double period,
                    std::vector<double>& seconds) {
  const auto roundAt = [&](double time) {
    return (cyclesAt(passing.side, passing.rate, time) - cycles) / period;
  };
  const double a = roundAt(passing.step.from);
  const double b = roundAt(passing.step.to);
  const double first = std::floor(std::min(a, b)) - 1.0;
  const double last = std::ceil(std::max(a, b)) + 1.0;
  if (!(last - first <= kMostPasses)) return;
  const double perCycle = passing.side.durationSeconds / passing.rate;
  for (double round = first; round <= last; round += 1.0) {
    const double at = (cycles + round * period - passing.side.offset) * perCycle;
    if (passing.step.holds(at)) seconds.push_back(at);
  }
}

}  // namespace

bool TimeStep::holds(double seconds) const {
  if (from == 0.0 && seconds == 0.0) return to != 0.0;
  return from < to ? seconds > from && seconds <= to : seconds >= to && seconds < from;
}

void appendPasses(const FadeSide& side, double rate, double unit, const TimeStep& step,
                  std::vector<double>& seconds) {
  if (rate == 0.0 || !(side.durationSeconds > 0.0)) return;
  const Passing passing{side, rate, step};
  if (side.loop == LoopMode::Loop) return appendPeriodic(passing, unit, 1.0, seconds);
  if (side.loop == LoopMode::Once) {
    const double at = (unit - side.offset) * side.durationSeconds / rate;
    if (step.holds(at)) seconds.push_back(at);
    return;
  }
  appendPeriodic(passing, unit, 2.0, seconds);
  const bool turns = unit <= 0.0 || unit >= 1.0;
  if (!turns) appendPeriodic(passing, -unit, 2.0, seconds);
}

void sortByTime(std::vector<FiredEvent>& events, const TimeStep& step) {
  std::ranges::stable_sort(events, [&step](const FiredEvent& a, const FiredEvent& b) {
    return step.from <= step.to ? a.seconds < b.seconds : a.seconds > b.seconds;
  });
}

}  // namespace ck
