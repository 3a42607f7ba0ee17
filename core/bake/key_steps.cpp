#include "core/bake/key_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/bake/shell.h"

namespace ck {
namespace {

// Lengths at rest, one per joint.
struct Lengths {
  std::vector<double> arm;    // of what the joint itself moves: as long as what it hangs on
  std::vector<double> reach;  // of that and of everything that hangs on the joint, along the chain
  double size = 0.0;          // the longest reach
};

Lengths lengthsOf(const Rig& rig) {
  const std::vector<glm::dmat4> rest = restMatrices(rig);
  Lengths lengths;
  lengths.arm.assign(rig.joints.size(), kShellMeters);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
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

// Adds what a joint's own turning can cost in every step: nlerp leaves the arc by 0.00401 turn^3
// (TECHNIQUES 1.2), times the reach of the joint.
void addStray(const Track<glm::quat>& track, double startSeconds, double stepSeconds, double reach,
              std::span<float> steps) {
  if (track.interpolation != Interpolation::Linear) return;
  const auto stepAt = [&](double seconds) {
    const double step = std::floor((seconds - startSeconds) / stepSeconds + 1e-3);
    return static_cast<std::size_t>(std::clamp(step, 0.0, static_cast<double>(steps.size() - 1)));
  };
  for (std::size_t k = 1; k < track.times.size(); ++k) {
    const double seconds = track.times[k] - track.times[k - 1];
    if (seconds < kSameMomentSeconds) continue;
    const double cosine = std::abs(glm::dot(track.values[k], track.values[k - 1]));
    const double turn = 2.0 * std::acos(std::min(cosine, 1.0)) * stepSeconds / seconds;
    const auto stray = static_cast<float>(0.00401 * turn * turn * turn * reach);
    const std::size_t last = stepAt(track.times[k] - 0.5 * std::min(seconds, stepSeconds));
    for (std::size_t step = stepAt(track.times[k - 1]); step <= last; ++step) steps[step] += stray;
  }
}

// For every step, the most that interpolating it can stray from the source: what the joints of a
// chain cost adds up.
std::vector<float> strayBounds(const Rig& rig, const Clip& clip, double stepSeconds,
                               std::size_t stepCount, const std::vector<double>& reach) {
  std::vector<std::vector<float>> strays(rig.joints.size(), std::vector<float>(stepCount, 0.0f));
  for (const JointTracks& tracks : clip.jointTracks) {
    const auto joint = static_cast<std::size_t>(tracks.joint);
    addStray(tracks.rotation, clip.startSeconds, stepSeconds, reach[joint], strays[joint]);
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

// The largest distance between where two places of a joint put the ends of its arm.
double armDistance(const glm::dmat4& a, const glm::dmat4& b, double arm) {
  const glm::dvec3 moved(a[3] - b[3]);
  double largest = glm::length(moved);
  for (int axis = 0; axis < 3; ++axis) {
    const double scale = glm::length(glm::dvec3(a[axis]));
    if (!(scale > 0.0)) continue;
    largest = std::max(largest, glm::length(moved + glm::dvec3(a[axis] - b[axis]) * (arm / scale)));
  }
  return largest;
}

// How far joints stray in truth when local transforms at both ends of a step are interpolated.
double measuredStray(const Rig& rig, const Clip& clip, double seconds, double stepSeconds,
                     const Lengths& lengths) {
  const std::vector<Trs> from = sampleClip(rig, clip, seconds);
  const std::vector<Trs> to = sampleClip(rig, clip, seconds + stepSeconds);
  double worst = 0.0;
  // Where nlerp and slerp differ most.
  for (const double share : {0.2113, 0.7887}) {
    std::vector<Trs> locals = sampleClip(rig, clip, seconds + share * stepSeconds);
    const std::vector<glm::dmat4> source = globalMatrices(rig, locals);
    for (std::size_t j = 0; j < locals.size(); ++j) {
      const double sign = glm::dot(from[j].rotation, to[j].rotation) < 0.0 ? -1.0 : 1.0;
      locals[j].rotation =
          glm::normalize(from[j].rotation * (1.0 - share) + to[j].rotation * (sign * share));
    }
    const std::vector<glm::dmat4> shown = globalMatrices(rig, locals);
    for (std::size_t j = 0; j < locals.size(); ++j) {
      worst = std::max(worst, armDistance(source[j], shown[j], lengths.arm[j]));
    }
  }
  return worst;
}

// The stray of the whole clip as a share of the rig's size: measured in the steps where it may be
// largest, and nowhere where the bound is within `enough` already.
double strayOfTurns(const Rig& rig, const Clip& clip, double stepSeconds, double enough) {
  constexpr double kMostSteps = 20000.0;  // beyond, a clip is sampled finely enough anyway
  constexpr std::size_t kMeasured = 8;
  const double stepCount = std::round(clip.durationSeconds / stepSeconds);
  const Lengths lengths = lengthsOf(rig);
  if (!(lengths.size > 0.0) || !(stepCount >= 1.0) || stepCount > kMostSteps) return 0.0;
  const std::vector<float> bounds =
      strayBounds(rig, clip, stepSeconds, static_cast<std::size_t>(stepCount), lengths.reach);
  std::vector<std::size_t> order(bounds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bounds[a] > bounds[b]; });
  double worst = 0.0;
  for (std::size_t i = 0; i < std::min(order.size(), kMeasured); ++i) {
    if (static_cast<double>(bounds[order[i]]) <= enough * lengths.size) break;
    const double seconds = clip.startSeconds + static_cast<double>(order[i]) * stepSeconds;
    worst = std::max(worst, measuredStray(rig, clip, seconds, stepSeconds, lengths));
  }
  return worst / lengths.size;
}

bool hasCubicTracks(const Clip& clip) {
  return std::any_of(clip.jointTracks.begin(), clip.jointTracks.end(), [](const JointTracks& t) {
    return t.translation.interpolation == Interpolation::Cubic ||
           t.rotation.interpolation == Interpolation::Cubic ||
           t.scale.interpolation == Interpolation::Cubic;
  });
}

}  // namespace

double medianStepSeconds(const std::vector<double>& keyTimes) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < keyTimes.size(); ++i) {
    const double step = keyTimes[i] - keyTimes[i - 1];
    if (step > kSameMomentSeconds) steps.push_back(step);
  }
  if (steps.empty()) return 0.0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

int framesPerKeyStep(const Rig& rig, const Clip& clip, double stepSeconds) {
  constexpr double kLargestStray = 0.0004;
  constexpr double kSplineStepSeconds = 1.0 / 30.0;
  constexpr double kSlack = 1e-3;
  constexpr double kMost = 256.0;
  // The stray falls with the third power of the step.
  double needed = std::cbrt(strayOfTurns(rig, clip, stepSeconds, kLargestStray) / kLargestStray);
  if (hasCubicTracks(clip)) needed = std::max(needed, stepSeconds / kSplineStepSeconds);
  return static_cast<int>(std::clamp(std::ceil(needed - kSlack), 1.0, kMost));
}

}  // namespace ck
