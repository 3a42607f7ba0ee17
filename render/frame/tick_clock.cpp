#include "render/frame/tick_clock.h"

#include <algorithm>
#include <cmath>

namespace ck::render {

bool TickClock::goesOn(std::span<const CrowdStamp> stamps) const {
  return !stamps_.empty() &&
         std::equal(stamps.begin(), stamps.end(), stamps_.begin(), stamps_.end(),
                    [](const CrowdStamp& a, const CrowdStamp& b) { return a.origin == b.origin; });
}

bool TickClock::isAt(std::span<const CrowdStamp> stamps) const {
  return std::equal(stamps.begin(), stamps.end(), stamps_.begin(), stamps_.end());
}

bool TickClock::isDue(std::span<const CrowdStamp> stamps, double seconds, double rateHz) const {
  if (!goesOn(stamps)) return true;
  if (isAt(stamps)) return false;
  if (!(rateHz > 0.0)) return true;
  return std::floor(seconds * rateHz) != std::floor(seconds_ * rateHz);
}

double TickClock::made(std::span<const CrowdStamp> stamps, double seconds) {
  const double passed = goesOn(stamps) ? seconds - seconds_ : 0.0;
  stamps_.assign(stamps.begin(), stamps.end());
  seconds_ = seconds;
  return passed;
}

}  // namespace ck::render
