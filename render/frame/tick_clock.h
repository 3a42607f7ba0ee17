#pragma once

#include <span>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck::render {

// Decides for every picture whether the actors are posed anew (a tick) or drawn as they were posed
// last.
class TickClock {
 public:
  // Whether crowds with these stamps, of which the first is `seconds` after its start, need a tick:
  // when they have changed, and at most `rateHz` times a second of their own time (0: whenever they
  // have changed). A crowd that was made anew or seeked never waits.
  bool isDue(std::span<const CrowdStamp> stamps, double seconds, double rateHz) const;

  // Whether crowds with these stamps came from the last tick by moving on.
  bool goesOn(std::span<const CrowdStamp> stamps) const;

  // Whether the last tick was made of these as they are.
  bool isAt(std::span<const CrowdStamp> stamps) const;

  // A tick was made of these; `seconds` as above. Returns the time since the tick before where the
  // crowds moved on, otherwise 0.
  double made(std::span<const CrowdStamp> stamps, double seconds);

 private:
  std::vector<CrowdStamp> stamps_;  // of the last tick; empty: there was none
  double seconds_ = 0.0;
};

}  // namespace ck::render
