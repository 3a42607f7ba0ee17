#include "core/anim/loop_gap.h"

#include <algorithm>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"

namespace ck {
namespace {

// A smaller distance is invisible, however slowly the clip moves.
constexpr double kInvisibleMm = 0.01;

// With fewer key poses, the mean step says nothing about the way back to the first pose.
constexpr std::size_t kFewestKeysOfOneStep = 4;

// The rules are made for sampled clips, whose keys are about one film frame apart. If an artist set
// keys far apart, a quarter of a step is a visible jump, and an omitted last step is unlikely.
constexpr double kPictureSeconds = 1.0 / 24.0;
constexpr double kLongestSampledStepSeconds = 0.1;

double largestDistanceMm(const std::vector<glm::dmat4>& a, const std::vector<glm::dmat4>& b) {
  constexpr double kShellMeters = 0.03;
  double largest = 0.0;
  for (std::size_t joint = 0; joint < a.size(); ++joint) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto point = [axis](const glm::dmat4& global) {
        const glm::dvec3 arm(global[axis]);
        const double length = glm::length(arm);
        return glm::dvec3(global[3]) + (length > 0.0 ? arm * (kShellMeters / length) : arm);
      };
      largest = std::max(largest, glm::distance(point(a[joint]), point(b[joint])));
    }
  }
  return largest * 1000.0;
}

}  // namespace

LoopGap loopGap(const LoopFigures& figures) {
  if (figures.keyCount < 2) return LoopGap::Closed;
  const double stepMm = figures.stepMm;
  const double imageMm = stepMm * std::min(1.0, kPictureSeconds / figures.stepSeconds);
  if (figures.seamMm <= kInvisibleMm || figures.seamMm < 0.25 * imageMm) return LoopGap::Closed;
  const bool oneStep = 0.5 * stepMm <= figures.seamMm && figures.seamMm <= 2.0 * stepMm;
  const bool sampled =
      figures.keyCount >= kFewestKeysOfOneStep && figures.stepSeconds <= kLongestSampledStepSeconds;
  return oneStep && sampled ? LoopGap::OneStep : LoopGap::Open;
}

LoopFigures jointLoopFigures(const Rig& rig, const Clip& clip) {
  LoopFigures figures;
  const std::vector<double> times = keyTimes(clip);
  figures.keyCount = times.size();
  if (times.size() < 2) return figures;
  std::vector<glm::dmat4> first;
  std::vector<glm::dmat4> previous;
  for (const double time : times) {
    std::vector<glm::dmat4> pose = globalMatrices(rig, sampleClip(rig, clip, time));
    if (first.empty()) first = pose;
    if (!previous.empty()) figures.stepMm += largestDistanceMm(pose, previous);
    previous = std::move(pose);
  }
  const auto steps = static_cast<double>(times.size() - 1);
  figures.stepMm /= steps;
  figures.stepSeconds = (times.back() - times.front()) / steps;
  figures.seamMm = largestDistanceMm(previous, first);
  return figures;
}

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

double closingStepSeconds(const Clip& clip) {
  if (const auto grid = keyGrid(clip)) return grid->stepSeconds;
  return medianStepSeconds(keyTimes(clip));
}

}  // namespace ck
