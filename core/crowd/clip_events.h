#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/crowd/fade.h"

namespace ck {

// A name at a moment of a clip as it plays.
struct CrowdEvent {
  std::string name;
  double unit = 0.0;  // where in the clip, in [0, 1]
  bool operator==(const CrowdEvent&) const = default;
};

// An event that an actor of a crowd has passed.
struct FiredEvent {
  std::size_t actor = 0;  // visible
  int clip = 0;           // into Crowd::clips()
  int event = 0;          // into CrowdClip::events
  double seconds = 0.0;   // of the crowd's time
  double weight = 1.0;    // how much of the actor the clip is then, in [0, 1]
};

// A step of the crowd's time, either way. The moment that it leaves from belongs to the step
// before, but for time 0, from where everything sets out.
struct TimeStep {
  double from = 0.0;
  double to = 0.0;
  bool holds(double seconds) const;
};

// When in the step a clip passes `unit`, in no order: once in a round, where ping-pong turns once
// too. Steps that follow one another have every pass once, however time is cut. At most 4096 passes
// a step; a clip so short that it goes round more often has no use for events.
void appendPasses(const FadeSide& side, double rate, double unit, const TimeStep& step,
                  std::vector<double>& seconds);

}  // namespace ck
