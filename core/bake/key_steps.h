#pragma once

#include <vector>

#include "core/scene/clip.h"
#include "core/scene/rig.h"

namespace ck {

// Keys closer together than this are one moment written twice with different rounding.
inline constexpr double kSameMomentSeconds = 1e-5;

// The usual time between two keys; 0 for fewer than two.
double medianStepSeconds(const std::vector<double>& keyTimes);

// How many frames every step of `stepSeconds` needs: one, unless joints turn so far within a step
// that interpolating two frames strays by a millimetre on a figure of two metres, or splines bend
// over steps longer than a film frame. At most 256.
int framesPerKeyStep(const Rig& rig, const Clip& clip, double stepSeconds);

}  // namespace ck
