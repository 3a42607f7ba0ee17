#include "core/bake/seam.h"

#include <algorithm>

#include "core/bake/shell.h"
#include "core/bake/window_sampler.h"

namespace ck {
namespace {

// Less than this is no seam at all, however slowly the clip moves.
constexpr double kInvisibleMm = 0.01;

// With fewer key poses the distance between neighbours says nothing about the way back.
constexpr std::size_t kFewestKeysOfExclusive = 4;

double poseDistanceMm(std::span<const glm::dmat4> a, std::span<const glm::dmat4> b,
                      const std::vector<glm::vec3>& pivots, const std::vector<char>& judged) {
  double largest = 0.0;
  for (std::size_t joint = 0; joint < a.size(); ++joint) {
    if (judged[joint] == 0) continue;
    largest = std::max(largest, shellDistance(a[joint], b[joint], glm::dvec3(pivots[joint])));
  }
  return largest * 1000.0;
}

Seam classify(double seamMm, double stepMm, std::size_t keyCount) {
  if (seamMm <= kInvisibleMm || seamMm < 0.25 * stepMm) return Seam::Inclusive;
  const bool oneStep = 0.5 * stepMm <= seamMm && seamMm <= 2.0 * stepMm;
  return oneStep && keyCount >= kFewestKeysOfExclusive ? Seam::Exclusive : Seam::None;
}

}  // namespace

SeamVerdict measureSeam(const Character& character, const Clip& clip) {
  SeamVerdict verdict;
  const std::vector<double> times = keyTimes(clip);
  if (times.size() < 2) {
    verdict.seam = Seam::Inclusive;
    return verdict;
  }
  const std::vector<glm::vec3> pivots = bakedPivots(character.rig);
  const std::vector<char> judged = judgedJoints(character);
  WindowSampler sampler(character.rig, clip, 0.0);
  std::vector<glm::dmat4> first;
  std::vector<glm::dmat4> previous;
  for (const double time : times) {
    const std::span<const glm::dmat4> pose = sampler.skinMatrices(time);
    if (previous.empty()) {
      first.assign(pose.begin(), pose.end());
    } else {
      verdict.stepMm += poseDistanceMm(pose, previous, pivots, judged);
    }
    previous.assign(pose.begin(), pose.end());
  }
  verdict.stepMm /= static_cast<double>(times.size() - 1);
  verdict.seamMm = poseDistanceMm(previous, first, pivots, judged);
  verdict.seam = classify(verdict.seamMm, verdict.stepMm, times.size());
  return verdict;
}

}  // namespace ck
