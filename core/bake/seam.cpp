#include "core/bake/seam.h"

#include <algorithm>

#include "core/bake/shell.h"
#include "core/bake/window_sampler.h"

namespace ck {
namespace {

// A smaller distance is invisible, however slowly the clip moves.
constexpr double kInvisibleMm = 0.01;

// With fewer key poses, the mean step says nothing about the way back to the first pose.
constexpr std::size_t kFewestKeysOfExclusive = 4;

// The rules are made for sampled clips, whose keys are about one film frame apart. If an artist set
// keys far apart, a quarter of a step is a visible jump, and an omitted last step is unlikely.
constexpr double kPictureSeconds = 1.0 / 24.0;
constexpr double kLongestSampledStepSeconds = 0.1;

double poseDistanceMm(std::span<const glm::dmat4> a, std::span<const glm::dmat4> b,
                      const Shell& shell) {
  double largest = 0.0;
  for (std::size_t joint = 0; joint < a.size(); ++joint) {
    if (shell.hasVertices[joint] == 0) continue;
    largest = std::max(largest, shellDistance(shell, joint, a[joint], b[joint]));
  }
  return largest * 1000.0;
}

}  // namespace

Seam classifySeam(double seamMm, double stepMm, std::size_t keyCount, double stepSeconds) {
  const double imageMm = stepMm * std::min(1.0, kPictureSeconds / stepSeconds);
  if (seamMm <= kInvisibleMm || seamMm < 0.25 * imageMm) return Seam::Inclusive;
  const bool oneStep = 0.5 * stepMm <= seamMm && seamMm <= 2.0 * stepMm;
  const bool sampled =
      keyCount >= kFewestKeysOfExclusive && stepSeconds <= kLongestSampledStepSeconds;
  return oneStep && sampled ? Seam::Exclusive : Seam::None;
}

SeamVerdict measureSeam(const Character& character, const Clip& clip, const JobContext& job) {
  SeamVerdict verdict;
  const std::vector<double> times = keyTimes(clip);
  if (times.size() < 2) {
    verdict.seam = Seam::Inclusive;
    return verdict;
  }
  const Shell shell = makeShell(character);
  WindowSampler sampler(character.rig, clip, 0.0);
  std::vector<glm::dmat4> first;
  std::vector<glm::dmat4> previous;
  for (const double time : times) {
    if (job.stopRequested()) return {};
    const std::span<const glm::dmat4> pose = sampler.skinMatrices(time);
    if (previous.empty()) {
      first.assign(pose.begin(), pose.end());
    } else {
      verdict.stepMm += poseDistanceMm(pose, previous, shell);
    }
    previous.assign(pose.begin(), pose.end());
  }
  verdict.stepMm /= static_cast<double>(times.size() - 1);
  verdict.seamMm = poseDistanceMm(previous, first, shell);
  const double stepSeconds = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  verdict.seam = classifySeam(verdict.seamMm, verdict.stepMm, times.size(), stepSeconds);
  return verdict;
}

}  // namespace ck
