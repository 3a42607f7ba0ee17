#pragma once

#include <cstddef>

#include "core/crowd/mixed_crowd.h"
#include "core/project/project.h"

namespace ck::ui {

// When a visible actor of a crowd is at a position, in [0, 1], of the clip that it shows, as
// Crowd::unitOf() counts: the crowd's time, in seconds from 0 on. In the cycle of the clip in which
// the actor is at `now` where that is possible, else the first time after it; for clips that play
// once also an earlier one. An actor that never gets there, as a paused one, gives the time at
// which it is nearest. `actor` is the visible one's as the project has it.
double timeAtUnit(const Project& project, const MixedCrowd& crowd, std::size_t visible,
                  const Actor& actor, double unit, double now);

}  // namespace ck::ui
