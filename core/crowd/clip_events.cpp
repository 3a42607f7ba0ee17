#include "core/crowd/clip_events.h"

#include <algorithm>
#include <cmath>

namespace ck {

bool TimeStep::holds(double seconds) const {
  return from < to ? seconds >= from && seconds < to : seconds <= from && seconds > to;
}

void appendPasses(const FadeSide& side, double rate, double unit, const TimeStep& step,
                  std::vector<double>& seconds) {
  if (rate == 0.0 || !(side.durationSeconds > 0.0)) return;
  if (side.loop == LoopMode::Once) {
    const double at = (unit - side.offset) * side.durationSeconds / rate;
    if (step.holds(at)) seconds.push_back(at);
    return;
  }
  const double period = side.loop == LoopMode::Loop ? 1.0 : 2.0;
  const double perCycle = side.durationSeconds / rate;
  // The time of each pass is computed from its index alone, so that adjacent steps agree on which
  // of them contains it.
  const auto appendPeriodic = [&](double cycles) {
    constexpr double kMostPasses = 4096.0;
    const double a = (cyclesAt(side, rate, step.from) - cycles) / period;
    const double b = (cyclesAt(side, rate, step.to) - cycles) / period;
    const double first = std::floor(std::min(a, b)) - 1.0;
    const double last = std::ceil(std::max(a, b)) + 1.0;
    if (!(last - first <= kMostPasses)) return;
    for (double round = first; round <= last; round += 1.0) {
      const double at = (cycles + round * period - side.offset) * perCycle;
      if (step.holds(at)) seconds.push_back(at);
    }
  };
  appendPeriodic(unit);
  const bool isTurn = unit <= 0.0 || unit >= 1.0;
  if (side.loop == LoopMode::PingPong && !isTurn) appendPeriodic(-unit);
}

void sortByTime(std::vector<FiredEvent>& events, const TimeStep& step) {
  std::ranges::stable_sort(events, [&step](const FiredEvent& a, const FiredEvent& b) {
    return step.from <= step.to ? a.seconds < b.seconds : a.seconds > b.seconds;
  });
}

}  // namespace ck
