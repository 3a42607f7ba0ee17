#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/crowd/crowd_clip.h"
#include "core/crowd/fade.h"
#include "core/crowd/own_time.h"

namespace ck {

// An event that an actor has passed.
struct FiredEvent {
  std::size_t actor = 0;  // index of the visible actor
  int clip = 0;           // into Crowd::clips()
  int event = 0;          // into CrowdClip::events
  double seconds = 0.0;   // of the crowd's time
  double weight = 1.0;    // blend weight of the clip at that moment, in [0, 1]
};

// A step of the crowd's time, forwards or backwards. The step contains `from`; `to` belongs to the
// next step. A step of no length is empty.
struct TimeStep {
  double from = 0.0;
  double to = 0.0;
  bool holds(double seconds) const;
};

// Calls `use(span, step)` for the steps of own time that an actor makes in a step of the crowd's
// time, in the order of the step; `span` leads from own time back to the crowd's. An actor makes
// none while it is paused.
template <class Use>
void forEachOwnStep(const OwnTime& time, const TimeStep& crowd, Use&& use) {
  constexpr double kEver = std::numeric_limits<double>::infinity();
  const auto spans = time.spans();
  const bool isForwards = crowd.from < crowd.to;
  for (std::size_t n = 0; n < spans.size(); ++n) {
    const std::size_t i = isForwards ? n : spans.size() - 1 - n;
    const OwnTimeSpan& span = spans[i];
    const double start = i == 0 ? -kEver : span.fromSeconds;
    const double end = i + 1 < spans.size() ? spans[i + 1].fromSeconds : kEver;
    const double from = isForwards ? std::max(crowd.from, start) : std::min(crowd.from, end);
    const double to = isForwards ? std::min(crowd.to, end) : std::max(crowd.to, start);
    if (span.pace != 0.0 && (isForwards ? from < to : from > to)) {
      use(span, TimeStep{span.at(from), span.at(to)});
    }
  }
}

// Appends the times in the step at which a clip passes `unit`, unordered: once per cycle, and once
// at each turn of ping-pong. Consecutive steps of one direction contain every pass once, however
// time is divided. A clip that is so short that a step has more than 4096 passes gives none.
void appendPasses(const FadeSide& side, double rate, double unit, const TimeStep& step,
                  std::vector<double>& seconds);

// Orders events by time in the direction of the step.
void sortByTime(std::vector<FiredEvent>& events, const TimeStep& step);

}  // namespace ck
