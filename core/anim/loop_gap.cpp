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

// Whether a part can have gone one step on from the last pose to the first, where another one moves
// by `mostMm`: not much farther than it moves in a step, and not standing still where it would go
// on farther than all others.
bool goesOn(const LoopPart& part, double unseenMm, double mostMm) {
  const bool isNear =
      part.seamMm <= unseenMm || part.seamMm <= 3.0 * std::max(part.stepMm, part.speedMm);
  const bool stops = part.throughMm > mostMm && part.seamMm < 0.25 * part.throughMm;
  return isNear && !stops;
}

}  // namespace

double largestSeamMm(const std::vector<LoopPart>& parts) {
  double largest = 0.0;
  for (const LoopPart& part : parts) largest = std::max(largest, part.seamMm);
  return largest;
}

LoopGap loopGap(const LoopFigures& figures, double limitMm) {
  if (figures.keyCount < 2 || figures.seamMm <= kInvisibleMm) return LoopGap::Closed;
  const bool isWithin = figures.seamMm <= limitMm;
  const double seamMm = largestSeamMm(figures.parts);
  const double stepMm = figures.stepMm;
  const double imageMm = stepMm * std::min(1.0, kPictureSeconds / figures.stepSeconds);
  if (isWithin && seamMm < 0.25 * imageMm) return LoopGap::Closed;
  // A limit above what the clip moves in a step must not make one step of any distance.
  const double unseenMm = std::max(kInvisibleMm, std::min(limitMm, 0.25 * stepMm));
  const bool oneStep = 0.5 * stepMm <= seamMm && seamMm <= 2.0 * stepMm &&
                       std::ranges::all_of(figures.parts, [=](const LoopPart& part) {
                         return goesOn(part, unseenMm, seamMm);
                       });
  const bool sampled =
      figures.keyCount >= kFewestKeysOfOneStep && figures.stepSeconds <= kLongestSampledStepSeconds;
  if (oneStep && sampled) return LoopGap::OneStep;
  return isWithin ? LoopGap::Closed : LoopGap::Open;
}

double seamLimitMm(const Character& character, std::optional<double> chosenMm) {
  constexpr double kShareOfSize = 1.0 / 500.0;
  if (chosenMm) return *chosenMm;
  Bounds bounds = bindBounds(character);
  if (bounds.low == bounds.high) {
    for (const glm::dmat4& joint : restMatrices(character.rig)) {
      bounds.low = glm::min(bounds.low, glm::dvec3(joint[3]));
      bounds.high = glm::max(bounds.high, glm::dvec3(joint[3]));
    }
  }
  const glm::dvec3 size = bounds.high - bounds.low;
  return 1000.0 * kShareOfSize * std::max({size.x, size.y, size.z});
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
