#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/anim/playback.h"
#include "core/anim/root_motion.h"

namespace ck {

// A movement over the ground: a turn about the vertical axis, then a shift. Turns are not wrapped:
// two of them are 4 pi. As RootPlace, in double.
struct GroundMotion {
  glm::dvec3 position{0.0};
  double yaw = 0.0;
};
GroundMotion motionOf(const RootPlace& place);
RootPlace placeOf(const GroundMotion& motion);
glm::dmat4 toMatrix(const GroundMotion& motion);

// The movement `next`, made from where `first` has come to: toMatrix(first) * toMatrix(next).
GroundMotion operator*(const GroundMotion& first, const GroundMotion& next);
GroundMotion inverse(const GroundMotion& motion);
// `motion` made so many times; of any sign. In closed form, so that a million passes are as exact
// as one.
GroundMotion power(const GroundMotion& motion, double times);
// Linear from `a` to `b`, in position and turn.
GroundMotion mix(const GroundMotion& a, const GroundMotion& b, double t);
// `motion` of a figure that is so many times as large.
GroundMotion scaled(const GroundMotion& motion, double factor);

// The way of a clip over the ground: places at ascending times, the first one zero, linear in
// between.
struct RootWay {
  std::vector<double> times;  // as those of the clip's tracks; empty: no way
  std::vector<GroundMotion> places;
  bool empty() const { return times.empty(); }
};
// The place at a time. Before the first time it is the first place. After the last one, e.g. in the
// closing step of a loop (Seam::Exclusive), it goes on with the mean of the way's first and last
// speed.
GroundMotion placeAt(const RootWay& way, double seconds);

// The way that starts `seconds` later, and is then continued by the part before, as a clip that
// starts elsewhere in its loop. `way` ends with the loop.
RootWay startedLater(const RootWay& way, double seconds);

// The place that the moments of a clip (AtlasClip::rootMotion, at least one) give at `cycles`
// lengths of the clip: a loop goes on from where its passes have come to; the others are at the
// place of their pose, so that an actor that plays back and forth goes back and forth.
GroundMotion wayAfter(std::span<const RootPlace> moments, double cycles, LoopMode mode);

}  // namespace ck
