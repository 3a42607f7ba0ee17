#include "core/bake/key_steps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "core/anim/loop_gap.h"
#include "core/anim/pose.h"
#include "core/atlas/pose_reading.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/single_poses.h"

namespace ck {
namespace {

// Distances in the rest pose, one per joint.
struct Lengths {
  std::vector<double> arm;    // of the part that the joint itself moves: its distance to the parent
  std::vector<double> reach;  // from the joint to the end of the longest chain below it
  std::vector<double> unit;   // of the joint's translation in the file
  double size = 0.0;          // the longest reach
};

// Joints that are in the atlas. A joint outside the atlas turns its children as well, but between
// two frames the atlas moves them along straight lines.
std::vector<char> bakedJoints(const Rig& rig) {
  std::vector<char> baked(rig.joints.size(), 0);
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    baked[static_cast<std::size_t>(skinJoint.joint)] = 1;
  }
  return baked;
}

Lengths lengthsOf(const Rig& rig) {
  const std::vector<glm::dmat4> rest = restMatrices(rig);
  Lengths lengths;
  lengths.arm.assign(rig.joints.size(), kShellMeters);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    glm::dmat3 space(rig.joints[j].preTransform);
    if (rig.joints[j].parent >= 0) {
      space = glm::dmat3(rest[static_cast<std::size_t>(rig.joints[j].parent)]) * space;
    }
    lengths.unit.push_back(std::cbrt(std::abs(glm::determinant(space))));
    if (rig.joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(rig.joints[j].parent);
    const double length = glm::distance(glm::dvec3(rest[j][3]), glm::dvec3(rest[parent][3]));
    lengths.arm[j] = std::max(lengths.arm[j], length);
  }
  lengths.reach = lengths.arm;
  for (std::size_t j = rig.joints.size(); j-- > 0;) {
    lengths.size = std::max(lengths.size, lengths.reach[j]);
    if (rig.joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(rig.joints[j].parent);
    lengths.reach[parent] = std::max(lengths.reach[parent], lengths.reach[j] + lengths.arm[j]);
  }
  return lengths;
}

// The error, at a distance of one metre, of interpolating a turn of `turn` radians: 0.00401 turn^3
// for nlerp, turn^2 / 8 for a straight line (docs/techniques.md 1.5).
double strayOfTurn(double turn, bool isBaked) {
  return isBaked ? 0.00401 * turn * turn * turn : 0.125 * turn * turn;
}

// The even steps of a clip.
struct Steps {
  double startSeconds = 0.0;
  double stepSeconds = 0.0;
  std::size_t count = 0;
};

// The steps that the intervals between keys touch. Tracks of a file mostly have the same times, so
// those of the last times are kept.
class TouchedSteps {
 public:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    double shares = 0.0;  // a step, in intervals; 0 where two keys are of one moment
  };

  explicit TouchedSteps(const Steps& steps) : steps_(steps) {}

  // One range for each key but the first. The times must outlive this object.
  std::span<const Range> of(const std::vector<double>& times) {
    if (times_ != nullptr && sameTimes(*times_, times)) return ranges_;
    times_ = &times;
    ranges_.clear();
    for (std::size_t k = 1; k < times.size(); ++k) {
      const double seconds = times[k] - times[k - 1];
      const std::uint32_t first = stepAt(times[k - 1]);
      const std::uint32_t last = stepAt(times[k] - 0.5 * std::min(seconds, steps_.stepSeconds));
      const double shares = seconds < kSameMomentSeconds ? 0.0 : steps_.stepSeconds / seconds;
      ranges_.push_back({first, last, shares});
    }
    return ranges_;
  }

 private:
  std::uint32_t stepAt(double seconds) const {
    const double step = std::floor((seconds - steps_.startSeconds) / steps_.stepSeconds + 1e-3);
    return static_cast<std::uint32_t>(std::clamp(step, 0.0, static_cast<double>(steps_.count - 1)));
  }

  Steps steps_;
  const std::vector<double>* times_ = nullptr;
  std::vector<Range> ranges_;
};

// The bounds of one joint in all steps.
struct JointBounds {
  const Steps& steps;
  TouchedSteps& touched;
  std::span<float> bounds;

  void add(const TouchedSteps::Range& range, double bound) const {
    for (std::uint32_t step = range.first; step <= range.last; ++step) {
      bounds[step] += static_cast<float>(bound);
    }
  }
};

// The angle between two rotations, to 1e-7 of itself: by the series of the arc cosine where they
// are less than a radian apart, as neighbouring keys are.
double turnBetween(const glm::quat& a, const glm::quat& b) {
  constexpr double kNear = 0.25;
  const auto cosine = static_cast<double>(std::abs(glm::dot(a, b)));
  const double x = std::max(2.0 * (1.0 - cosine), 0.0);
  if (x > kNear) return 2.0 * std::acos(std::min(cosine, 1.0));
  const double series =
      1.0 + x * (1.0 / 24.0 + x * (3.0 / 640.0 + x * (5.0 / 7168.0 + x * (35.0 / 294912.0))));
  return 2.0 * std::sqrt(x) * series;
}

// Adds an upper bound of the error that a joint's own linear rotation causes in every step.
void addTurns(const Track<glm::quat>& track, double reach, bool isBaked, const JointBounds& joint) {
  if (track.interpolation != Interpolation::Linear) return;
  const std::span<const TouchedSteps::Range> touched = joint.touched.of(track.times);
  for (std::size_t k = 1; k < track.times.size(); ++k) {
    const TouchedSteps::Range& range = touched[k - 1];
    const double turn = turnBetween(track.values[k], track.values[k - 1]) * range.shares;
    joint.add(range, strayOfTurn(turn, isBaked) * reach);
  }
}

// Adds the error of straight lines through a spline: its second derivative times the square of the
// step over 8. The derivative is linear between two keys, so it is largest at one of them. `reach`
// is how far a change of one moves anything, in metres.
template <class Value>
void addBends(const Track<Value>& track, double reach, const JointBounds& joint) {
  if (track.interpolation != Interpolation::Cubic) return;
  const double step2 = joint.steps.stepSeconds * joint.steps.stepSeconds;
  const std::span<const TouchedSteps::Range> touched = joint.touched.of(track.times);
  for (std::size_t k = 1; k < track.times.size(); ++k) {
    const auto h = static_cast<float>(track.times[k] - track.times[k - 1]);
    if (h < kSameMomentSeconds) continue;
    const Value& out = track.values[3 * k - 1];
    const Value& in = track.values[3 * k];
    const Value step = track.values[3 * k + 1] - track.values[3 * k - 2];
    const Value atStart = (step * 6.0f - out * (4.0f * h) - in * (2.0f * h)) / (h * h);
    const Value atEnd = (out * (2.0f * h) + in * (4.0f * h) - step * 6.0f) / (h * h);
    const double bend = static_cast<double>(std::max(glm::length(atStart), glm::length(atEnd)));
    joint.add(touched[k - 1], 0.125 * bend * step2 * reach);
  }
}

// An upper bound of the interpolation error for every step. Errors add up along a chain of joints.
std::vector<float> strayBounds(const Rig& rig, const Clip& clip, double stepSeconds,
                               std::size_t stepCount, const Lengths& lengths) {
  const std::vector<char> baked = bakedJoints(rig);
  const Steps steps{clip.startSeconds, stepSeconds, stepCount};
  TouchedSteps touched(steps);
  std::vector<std::vector<float>> strays(rig.joints.size(), std::vector<float>(stepCount, 0.0f));
  for (const JointTracks& tracks : clip.jointTracks) {
    const auto joint = static_cast<std::size_t>(tracks.joint);
    const JointBounds own{steps, touched, strays[joint]};
    addTurns(tracks.rotation, lengths.reach[joint], baked[joint] != 0, own);
    // A change of a unit quaternion is half the angle.
    addBends(tracks.rotation, 2.0 * lengths.reach[joint], own);
    addBends(tracks.translation, lengths.unit[joint], own);
    addBends(tracks.scale, lengths.reach[joint], own);
  }
  std::vector<float> bounds(stepCount, 0.0f);
  for (std::size_t j = 0; j < strays.size(); ++j) {
    const int parent = rig.joints[j].parent;
    for (std::size_t step = 0; step < stepCount; ++step) {
      if (parent >= 0) strays[j][step] += strays[static_cast<std::size_t>(parent)][step];
      bounds[step] = std::max(bounds[step], strays[j][step]);
    }
  }
  return bounds;
}

// Interpolates frames of a clip as an atlas reader does, and measures the distance to the source.
class Trial {
 public:
  Trial(const Rig& rig, const Clip& clip, const Lengths& lengths)
      : sampler_(rig, clip, 0.0), joints_(atlasJointsOf(rig)) {
    const std::vector<glm::dmat4> rest = skinMatrices(rig, restMatrices(rig));
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double arm = lengths.arm[static_cast<std::size_t>(rig.skinJoints[i].joint)];
      const double scale = std::cbrt(std::abs(glm::determinant(glm::dmat3(rest[i]))));
      arms_.push_back(scale > 1e-9 ? arm / scale : arm);
    }
  }

  // The largest displacement within a step, in metres, at the joints and the ends of their arms.
  // Step tracks are held: no number of frames makes a jump smaller.
  double stray(double seconds, double stepSeconds) {
    const std::vector<JointPose> frame0 = posesAt(seconds, seconds);
    std::vector<JointPose> frame1 = posesAt(seconds + stepSeconds, seconds);
    for (std::size_t i = 0; i < frame1.size(); ++i) {
      if (glm::dot(frame0[i].rotation, frame1[i].rotation) < 0.0f) {
        frame1[i].rotation = -frame1[i].rotation;
      }
    }
    double worst = 0.0;
    // The fractions at which nlerp differs most from slerp, and a straight line most from an arc.
    for (const double share : {0.2113, 0.5, 0.7887}) {
      const std::vector<JointPose> shown =
          posesBetween(joints_, frame0, frame1, static_cast<float>(share), Reading::Palette);
      const std::span<const glm::dmat4> source =
          sampler_.skinMatrices(seconds + share * stepSeconds, seconds);
      for (std::size_t i = 0; i < shown.size(); ++i) {
        // The error of the pose form exists on the frames as well; more frames cannot reduce it.
        const glm::dvec3 pivot(joints_[i].pivot);
        const JointPose kept = pivotPoseOf(source[i], pivot);
        worst =
            std::max(worst, shellDistance(poseMatrix(kept, joints_[i].pivot),
                                          poseMatrix(shown[i], joints_[i].pivot), pivot, arms_[i]));
      }
    }
    return worst;
  }

 private:
  std::vector<JointPose> posesAt(double seconds, double heldSeconds) {
    const std::span<const glm::dmat4> skins = sampler_.skinMatrices(seconds, heldSeconds);
    std::vector<JointPose> poses;
    for (std::size_t i = 0; i < skins.size(); ++i) {
      poses.push_back(pivotPoseOf(skins[i], glm::dvec3(joints_[i].pivot)));
    }
    return poses;
  }

  WindowSampler sampler_;
  std::vector<AtlasJoint> joints_;
  std::vector<double> arms_;  // in bind space
};

// Interpolation errors relative to the rig's size.
struct Strays {
  double worst = 0.0;
  double ofMost = 0.0;        // at most this in all steps but the three that are worst
  double worstSeconds = 0.0;  // start of the worst step
};

// The interpolation errors of the clip. They are measured in the steps with the largest bounds
// only, and not at all where the bound is at most `enough`.
Strays straysOfTurns(const Rig& rig, const Clip& clip, double stepSeconds, double enough) {
  constexpr double kMostSteps = 20000.0;  // a clip with more steps is sampled finely enough already
  constexpr std::size_t kMeasured = 8;
  constexpr std::size_t kFew = 3;
  constexpr std::size_t kMany = 10;
  const double stepCount = std::round(clip.durationSeconds / stepSeconds);
  const Lengths lengths = lengthsOf(rig);
  if (!(lengths.size > 0.0) || !(stepCount >= 1.0) || stepCount > kMostSteps) return {};
  const std::vector<float> bounds =
      strayBounds(rig, clip, stepSeconds, static_cast<std::size_t>(stepCount), lengths);
  std::vector<std::size_t> order(bounds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bounds[a] > bounds[b]; });
  Trial trial(rig, clip, lengths);
  Strays strays;
  std::vector<double> measured;
  const auto boundOf = [&](std::size_t i) {
    return static_cast<double>(bounds[order[i]]) / lengths.size;
  };
  for (std::size_t i = 0; i < std::min(order.size(), kMeasured) && boundOf(i) > enough; ++i) {
    const double seconds = clip.startSeconds + static_cast<double>(order[i]) * stepSeconds;
    measured.push_back(trial.stray(seconds, stepSeconds) / lengths.size);
    if (measured.back() <= strays.worst) continue;
    strays.worst = measured.back();
    strays.worstSeconds = seconds;
  }
  std::ranges::sort(measured, std::greater());
  // In a clip of few steps none is an exception.
  const std::size_t exceptions = order.size() < kMany ? 0 : kFew;
  if (measured.size() > exceptions) strays.ofMost = measured[exceptions];
  if (order.size() > kMeasured && boundOf(kMeasured) > enough) {
    strays.ofMost = std::min(strays.worst, std::max(strays.ofMost, boundOf(kMeasured)));
  }
  return strays;
}

bool turnsUnbakedJoints(const Rig& rig, const Clip& clip) {
  const std::vector<char> baked = bakedJoints(rig);
  return std::any_of(clip.jointTracks.begin(), clip.jointTracks.end(), [&](const JointTracks& t) {
    return baked[static_cast<std::size_t>(t.joint)] == 0 && !t.rotation.empty();
  });
}

bool hasCubicTracks(const Clip& clip) {
  return std::any_of(clip.jointTracks.begin(), clip.jointTracks.end(), [](const JointTracks& t) {
    return t.translation.interpolation == Interpolation::Cubic ||
           t.rotation.interpolation == Interpolation::Cubic ||
           t.scale.interpolation == Interpolation::Cubic;
  });
}

}  // namespace

KeySteps keyStepsOf(const Rig& rig, const Clip& clip, double stepSeconds) {
  constexpr double kLargestStray = 0.0004;
  constexpr double kSplineStepSeconds = 1.0 / 30.0;
  constexpr double kShortestSplineStepSeconds = 1.0 / 120.0;
  constexpr double kSlack = 1e-3;
  constexpr double kMost = 256.0;
  const bool cubic = hasCubicTracks(clip);
  const double fewest =
      cubic ? std::max(1.0, std::ceil(stepSeconds / kSplineStepSeconds - kSlack)) : 1.0;
  const Strays strays = straysOfTurns(rig, clip, stepSeconds / fewest, kLargestStray);
  // The error falls with the third power of the step; with the second power for splines and for
  // joints outside the atlas.
  const bool isSecond = cubic || turnsUnbakedJoints(rig, clip);
  const auto framesFor = [&](double stray) {
    const double share = stray / kLargestStray;
    double needed = fewest * (isSecond ? std::sqrt(share) : std::cbrt(share));
    if (cubic) {
      needed =
          std::clamp(needed, fewest, std::max(fewest, stepSeconds / kShortestSplineStepSeconds));
    }
    return static_cast<int>(std::clamp(std::ceil(needed - kSlack), 1.0, kMost));
  };
  return {stepSeconds, framesFor(strays.worst), framesFor(strays.ofMost), strays.worstSeconds};
}

}  // namespace ck
