#pragma once

#include <cstddef>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// How the end of a clip lies to its start (docs/techniques.md 1.3).
enum class LoopGap {
  Open,     // not a loop
  Closed,   // the last pose is the first
  OneStep,  // one more step leads to the first pose
};

// The distance between the last and the first pose of a clip, and what else the verdict needs.
struct LoopFigures {
  double seamMm = 0.0;       // the largest distance between the last and the first pose
  double stepMm = 0.0;       // the mean of that between neighbouring key poses
  std::size_t keyCount = 0;  // moments with keys; fewer than two are a closed loop
  double stepSeconds = 0.0;  // mean time between them
};
LoopGap loopGap(const LoopFigures& figures);

// The figures of a clip by its joints alone, each with points 3 cm from it, as the shell of a
// bake has them for the joints that move vertices (measureSeam()).
LoopFigures jointLoopFigures(const Rig& rig, const Clip& clip);

// Keys closer than this count as one key written twice with different rounding.
inline constexpr double kSameMomentSeconds = 1e-5;

// The median time between two keys; 0 if there are fewer than two.
double medianStepSeconds(const std::vector<double>& keyTimes);

// The length of the closing step of a loop that lacks it: the step of the clip's key grid, else the
// median time between two keys.
double closingStepSeconds(const Clip& clip);

}  // namespace ck
