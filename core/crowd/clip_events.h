#pragma once

#include <cstddef>
#include <vector>

#include "core/crowd/crowd_clip.h"
#include "core/crowd/fade.h"

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

// Appends the times in the step at which a clip passes `unit`, unordered: once per cycle, and once
// at each turn of ping-pong. Consecutive steps of one direction contain every pass once, however
// time is divided. A clip that is so short that a step has more than 4096 passes gives none.
void appendPasses(const FadeSide& side, double rate, double unit, const TimeStep& step,
                  std::vector<double>& seconds);

// Orders events by time in the direction of the step.
void sortByTime(std::vector<FiredEvent>& events, const TimeStep& step);

}  // namespace ck
