#include "core/bake/seam.h"

#include <algorithm>

#include "core/anim/loop_gap.h"
#include "core/bake/shell.h"
#include "core/bake/window_sampler.h"

namespace ck {
namespace {

Seam seamOf(LoopGap gap) {
  if (gap == LoopGap::Open) return Seam::None;
  return gap == LoopGap::Closed ? Seam::Inclusive : Seam::Exclusive;
}

}  // namespace

Seam classifySeam(double seamMm, double stepMm, std::size_t keyCount, double stepSeconds) {
  return seamOf(loopGap({seamMm, stepMm, keyCount, stepSeconds}));
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
