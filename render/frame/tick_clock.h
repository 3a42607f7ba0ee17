#pragma once

#include <span>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck::render {

// Decides for every frame whether actors are posed again (a tick) or drawn with the poses of the
// last tick.
class TickClock {
 public:
  // Whether crowds with these stamps need a tick. A tick is due if a stamp has changed, but at most
  // `rateHz` times per second of the crowd's time (0: no limit). `seconds` is the time of the first
  // crowd. A crowd that was made anew or seeked is due at once.
  bool isDue(std::span<const CrowdStamp> stamps, double seconds, double rateHz) const;

  // Whether the crowds are those of the last tick and have only advanced in time.
  bool goesOn(std::span<const CrowdStamp> stamps) const;

  // Whether the last tick used crowds with exactly these stamps.
  bool isAt(std::span<const CrowdStamp> stamps) const;

  // Records a tick; `seconds` as in isDue(). Returns the time since the previous tick if the crowds
  // have only advanced, otherwise 0.
  double made(std::span<const CrowdStamp> stamps, double seconds);

 private:
  std::vector<CrowdStamp> stamps_;  // of the last tick; empty before the first
  double seconds_ = 0.0;
};

}  // namespace ck::render
