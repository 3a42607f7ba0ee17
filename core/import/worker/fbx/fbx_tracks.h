#pragma once

#include <functional>
#include <vector>

#include "core/scene/clip.h"

namespace ck::worker {

// A value over time that is not a Track: its value, or its limit from earlier (side -1) or later
// times (side 1) where it jumps.
template <class Value>
using FbxMotion = std::function<Value(double seconds, int side)>;

// Makes a track that follows a motion to within `tolerance` at all times between the first and the
// last of `seconds`, which are ascending, distinct and include all times at which the motion has a
// key. Constant and stepped motions become stepped tracks, straight ones linear tracks, others
// cubic tracks, with keys added between where needed. A jump becomes two keys kFbxJumpSeconds
// apart. The tolerance has the unit of the value; for rotations it is radians. `isStraight`: the
// motion is known to be linear between those times, and is not compared with a line.
Track<glm::vec3> fbxTrack(const std::vector<double>& seconds, const FbxMotion<glm::dvec3>& motion,
                          double tolerance, bool isStraight = false);
Track<glm::quat> fbxTrack(const std::vector<double>& seconds, const FbxMotion<glm::dquat>& motion,
                          double tolerance);
Track<float> fbxTrack(const std::vector<double>& seconds, const FbxMotion<double>& motion,
                      double tolerance);

// Shorter than the least distance at which keyTimes() counts two keys, so that the two keys of a
// jump do not disturb the key grid.
inline constexpr double kFbxJumpSeconds = 5e-10;

}  // namespace ck::worker
