#pragma once

#include "core/scene/clip.h"
#include "core/scene/rig.h"

namespace ck {

// Number of frames for every step of `stepSeconds`, 1 to 256. More than one frame is needed where
// joints turn so far within a step, or splines bend so much, that interpolation is off by 1 mm on a
// character of 2 m. Cubic tracks get frames at most 1/30 s apart, and at least 1/120 s
// (docs/techniques.md 1.5).
int framesPerKeyStep(const Rig& rig, const Clip& clip, double stepSeconds);

}  // namespace ck
