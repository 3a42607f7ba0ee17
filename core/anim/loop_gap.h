#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// How the end of a clip lies to its start (docs/techniques.md 1.3).
enum class LoopGap {
  Open,     // not a loop
  Closed,   // the last pose is the first
  OneStep,  // one more step leads to the first pose
};

// The ends of a clip as one joint, or one morph target, shows them: the largest distances at
// points that it moves, in millimetres.
struct LoopPart {
  double seamMm = 0.0;   // between the last and the first pose
  double stepMm = 0.0;   // the mean of that between neighbouring key poses
  double speedMm = 0.0;  // the longer one of the first and the last step
  // The mean of these two steps as vectors: how far a loop that lacks its closing step goes on.
  double throughMm = 0.0;
};

// The distance between the last and the first pose of a clip, and what else the verdict needs
// (core/anim/loop_figures.h measures it).
struct LoopFigures {
  double seamMm = 0.0;  // the largest distance of a vertex between the last and the first pose
  int seamMesh = -1;    // of that vertex; -1: a joint without vertices is farther apart
  int seamJoint = -1;   // that joint: a skin joint, or of a rig without a skin a joint
  double stepMm =
      0.0;  // the mean over all steps of the largest distance of a joint, or of a target
  std::vector<LoopPart> parts;
  std::size_t keyCount = 0;  // moments with keys; fewer than two are a closed loop
  double stepSeconds = 0.0;  // mean time between them
};

// The largest of the parts' seams.
double largestSeamMm(const std::vector<LoopPart>& parts);

// `limitMm`: how far a vertex may be moved to close the loop (seamLimitMm()).
LoopGap loopGap(const LoopFigures& figures, double limitMm);

// How far a vertex may be moved to close a loop, in millimetres: `chosenMm` (BakeRecipe::seamMm),
// else 1/500 of the longest side of the figure's box at rest, 3.6 mm for 1.8 m.
double seamLimitMm(const Character& character, std::optional<double> chosenMm);

// Keys closer than this count as one key written twice with different rounding.
inline constexpr double kSameMomentSeconds = 1e-5;

// The median time between two keys; 0 if there are fewer than two.
double medianStepSeconds(const std::vector<double>& keyTimes);

// The length of the closing step of a loop that lacks it: the step of the clip's key grid, else the
// median time between two keys.
double closingStepSeconds(const Clip& clip);

}  // namespace ck
