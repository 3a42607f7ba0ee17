#pragma once

#include <functional>
#include <vector>

#include "core/scene/clip.h"

namespace ck::worker {

// A value over time that is not a Track: its value, or its limit from earlier (side -1) or later
// times (side 1) where it jumps.
template <class Value>
using Motion = std::function<Value(double seconds, int side)>;

// Makes a track that follows a motion to within `tolerance` at all times between the first and the
// last of `seconds`, which are ascending, distinct and include all times at which the motion has a
// key. Constant and stepped motions become stepped tracks, straight ones linear tracks, others
// cubic tracks, with keys added between where needed. A jump becomes two keys kJumpSeconds
// apart. The tolerance has the unit of the value; for rotations it is radians. `isStraight`: the
// motion is known to be linear between those times, and is not compared with a line.
Track<glm::vec3> motionTrack(const std::vector<double>& seconds, const Motion<glm::dvec3>& motion,
                             double tolerance, bool isStraight = false);
Track<glm::quat> motionTrack(const std::vector<double>& seconds, const Motion<glm::dquat>& motion,
                             double tolerance);
Track<float> motionTrack(const std::vector<double>& seconds, const Motion<double>& motion,
                         double tolerance);

// The tolerance of a motion of places: 0.01 mm in a file of `unitMeters` a unit, and at most a
// share of the way that the motion goes, because the unit in the file may be wrong. Not below what
// rounding moves, which no number of keys would follow. `seconds` as for motionTrack().
double placeTolerance(const std::vector<double>& seconds, const Motion<glm::dvec3>& motion,
                      double unitMeters);
inline constexpr double kRotationTolerance = 1e-5 / 0.3;  // radians: 0.01 mm at 0.3 m
inline constexpr double kShareTolerance = 1e-5;           // of scales and weights

// Sorts times and leaves out those that are too near to an earlier one for a key of their own.
std::vector<double> distinctTimes(std::vector<double> seconds);

// Shorter than the least distance at which keyTimes() counts two keys, so that the two keys of a
// jump do not disturb the key grid.
inline constexpr double kJumpSeconds = 5e-10;

}  // namespace ck::worker
