#pragma once

#include "core/scene/clip.h"
#include "core/scene/rig.h"

namespace ck {

// The frames of the key steps of a clip.
struct KeySteps {
  double stepSeconds = 0.0;     // 0: the frames do not follow the keys
  int frames = 1;               // of every step
  int framesOfMost = 1;         // what all steps need but for three, if there are many
  double fastestSeconds = 0.0;  // start of the step that needs most frames, on the clip's timeline
};

// How many frames every step of `stepSeconds` gets, 1 to 256. More than one frame is needed where
// joints turn so far within a step, or splines bend so much, that interpolation is off by 1 mm on a
// character of 2 m. Cubic tracks get frames at most 1/30 s apart, and at least 1/120 s
// (docs/techniques.md 1.5).
KeySteps keyStepsOf(const Rig& rig, const Clip& clip, double stepSeconds);

}  // namespace ck
