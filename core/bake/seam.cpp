#include "core/bake/seam.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/anim/loop_gap.h"
#include "core/bake/lane_poser.h"
#include "core/bake/shell.h"
#include "core/base/lanes.h"

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

namespace {

using namespace lanes;

// The largest distance between each of eight poses and the next, in metres; the last lane is
// meaningless.
struct NextDistances {
  std::span<const LanePose> poses;
  const Shell& shell;

  static CK_LANES_INLINE F8 toNext(const float (&values)[kLaneCount]) {
    const F8 v = load<F8>(values);
    return __builtin_shufflevector(v, v, 1, 2, 3, 4, 5, 6, 7, 7) - v;
  }

  CK_LANES_INLINE void run(float (&meters)[kLaneCount]) const {
    F8 most = {};
    for (std::size_t joint = 0; joint < poses.size(); ++joint) {
      if (shell.hasVertices[joint] == 0) continue;
      const auto radius = static_cast<float>(shell.radii[joint]);
      F8 squares[3] = {};  // of the point on each axis
      for (int row = 0; row < 3; ++row) {
        const F8 moved = toNext(poses[joint].place[row]);
        for (int axis = 0; axis < 3; ++axis) {
          const F8 d = moved + radius * toNext(poses[joint].rows[row][axis]);
          squares[axis] += d * d;
        }
      }
      for (const F8& square : squares) most = square > most ? square : most;
    }
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) meters[lane] = std::sqrt(most[lane]);
  }

  CK_LANES_CLONES static void best(const NextDistances& work, float (&meters)[kLaneCount]) {
    work.run(meters);
  }
};

// The distances from every time to the next, in metres.
std::vector<double> distances(const LanePoser& poser, const Shell& shell,
                              const std::vector<double>& times, const JobContext& job) {
  // Batches overlap by one moment.
  constexpr std::size_t kSteps = kLaneCount - 1;
  const std::size_t batches = (times.size() - 1 + kSteps - 1) / kSteps;
  std::vector<StoredFrame> moments;
  for (std::size_t i = 0; i < batches * kLaneCount; ++i) {
    const std::size_t time = i / kLaneCount * kSteps + i % kLaneCount;
    moments.push_back({times[std::min(time, times.size() - 1)], {}});
  }
  LanePoser::Run run;
  poser.prepare(moments, run);
  std::vector<LanePose> poses(poser.skinJointCount());
  std::vector<double> result;
  for (std::size_t batch = 0; batch < batches && !job.stopRequested(); ++batch) {
    poser.pose(run, batch, poses);
    float meters[kLaneCount];
    NextDistances::best({poses, shell}, meters);
    result.insert(result.end(), meters, meters + kSteps);
  }
  result.resize(times.size() - 1);
  return result;
}

}  // namespace

SeamVerdict measureSeam(const Character& character, const Clip& clip, const JobContext& job) {
  SeamVerdict verdict;
  const std::vector<double> times = keyTimes(clip);
  if (times.size() < 2) {
    verdict.seam = Seam::Inclusive;
    return verdict;
  }
  const Shell shell = makeShell(character);
  const LanePoser poser(character.rig, clip, 0.0);
  const std::vector<double> steps = distances(poser, shell, times, job);
  const std::vector<double> ends = distances(poser, shell, {times.front(), times.back()}, job);
  if (job.stopRequested()) return {};
  verdict.stepMm =
      1000.0 * std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
  verdict.seamMm = 1000.0 * ends.front();
  const double stepSeconds = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  verdict.seam = classifySeam(verdict.seamMm, verdict.stepMm, times.size(), stepSeconds);
  return verdict;
}

}  // namespace ck
