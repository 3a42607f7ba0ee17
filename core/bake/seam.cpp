#include "core/bake/seam.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/anim/clip_sampler.h"
#include "core/anim/loop_gap.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose/window_sampler.h"
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

// The distances of a clip by posing all of its keys.
void measureAll(const Shell& shell, const LanePoser& poser, const std::vector<double>& times,
                const JobContext& job, SeamVerdict& verdict) {
  const std::vector<double> steps = distances(poser, shell, times, job);
  const std::vector<double> ends = distances(poser, shell, {times.front(), times.back()}, job);
  if (job.stopRequested()) return;
  verdict.stepMm =
      1000.0 * std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
  verdict.seamMm = 1000.0 * ends.front();
}

// The same by some windows of steps. The golden ratio spreads them evenly over the clip and out of
// step with any cycle that it repeats.
void measureSome(const Shell& shell, WindowSampler& sampler, const std::vector<double>& times,
                 const JobContext& job, SeamVerdict& verdict) {
  constexpr std::size_t kWindows = 32;
  constexpr std::size_t kSteps = 4;
  constexpr double kGolden = 0.6180339887498949;
  const auto poseAt = [&](double seconds) {
    const auto pose = sampler.skinMatrices(seconds);
    return std::vector<glm::dmat4>(pose.begin(), pose.end());
  };
  double sum = 0.0;
  for (std::size_t window = 0; window < kWindows && !job.stopRequested(); ++window) {
    const double spread = kGolden * (static_cast<double>(window) + 0.5);
    const double share = spread - std::floor(spread);
    const auto first = static_cast<std::size_t>(share * static_cast<double>(times.size() - kSteps));
    std::vector<glm::dmat4> before = poseAt(times[first]);
    for (std::size_t step = 1; step <= kSteps; ++step) {
      std::vector<glm::dmat4> now = poseAt(times[first + step]);
      sum += poseDistanceMm(before, now, shell);
      before = std::move(now);
    }
  }
  verdict.stepMm = sum / static_cast<double>(kWindows * kSteps);
  verdict.seamMm = poseDistanceMm(poseAt(times.back()), poseAt(times.front()), shell);
}

// How far morph targets move a vertex between two moments, each by itself.
class MorphSteps {
 public:
  MorphSteps(const Character& character, const Clip& clip) : character_(character), clip_(clip) {
    for (std::size_t mesh = 0; mesh < character.meshes.size(); ++mesh) {
      for (const MorphTarget& target : character.meshes[mesh].morphTargets) {
        double reach = 0.0;
        for (const glm::vec3& delta : target.positionDeltas) {
          reach = std::max(reach, static_cast<double>(glm::length(delta)));
        }
        reaches_.push_back(1000.0 * reach);
      }
    }
  }

  std::vector<float> weightsAt(double seconds) const {
    std::vector<float> all;
    for (std::size_t mesh = 0; mesh < character_.meshes.size(); ++mesh) {
      if (character_.meshes[mesh].morphTargets.empty()) continue;
      const auto own = sampleMorphWeights(character_, clip_, static_cast<int>(mesh), seconds);
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

  double mm(const std::vector<float>& a, const std::vector<float>& b) const {
    double most = 0.0;
    for (std::size_t i = 0; i < reaches_.size(); ++i) {
      most = std::max(most, static_cast<double>(std::abs(a[i] - b[i])) * reaches_[i]);
    }
    return most;
  }

 private:
  const Character& character_;
  const Clip& clip_;
  std::vector<double> reaches_;  // by mesh and target: how far it moves a vertex, in millimetres
};

// The figures of a clip in which only faces move.
void measureMorphs(const Character& character, const Clip& clip, const std::vector<double>& times,
                   SeamVerdict& verdict) {
  constexpr std::size_t kMost = 256;  // steps
  const MorphSteps morphs(character, clip);
  const std::size_t stride = 1 + (times.size() - 1) / kMost;
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < times.size(); i += stride, ++count) {
    sum += morphs.mm(morphs.weightsAt(times[i]), morphs.weightsAt(times[i + 1]));
  }
  verdict.stepMm = sum / static_cast<double>(count);
  verdict.seamMm = morphs.mm(morphs.weightsAt(times.back()), morphs.weightsAt(times.front()));
}

}  // namespace

SeamVerdict measureSeam(const Character& character, const Clip& clip,
                        const std::vector<double>& times, const LanePoser* poser,
                        const JobContext& job) {
  SeamVerdict verdict;
  if (times.size() < 2) {
    verdict.seam = Seam::Inclusive;
    return verdict;
  }
  const Shell shell = makeShell(character);
  if (posesAllKeys(times.size())) {
    if (poser != nullptr) {
      measureAll(shell, *poser, times, job, verdict);
    } else {
      measureAll(shell, LanePoser(character.rig, clip, 0.0), times, job, verdict);
    }
  } else {
    WindowSampler sampler(character.rig, clip, 0.0);
    measureSome(shell, sampler, times, job, verdict);
  }
  if (job.stopRequested()) return {};
  constexpr double kStillMm = 0.01;
  if (std::max(verdict.stepMm, verdict.seamMm) < kStillMm && !clip.morphTracks.empty()) {
    measureMorphs(character, clip, times, verdict);
  }
  const double stepSeconds = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  verdict.seam = classifySeam(verdict.seamMm, verdict.stepMm, times.size(), stepSeconds);
  return verdict;
}

SeamVerdict measureSeam(const Character& character, const Clip& clip, const JobContext& job) {
  return measureSeam(character, clip, keyTimes(clip), nullptr, job);
}

}  // namespace ck
