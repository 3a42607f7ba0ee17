#include "core/bake/seam.h"

#include <algorithm>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/window_sampler.h"
#include "core/base/lanes.h"

namespace ck {
namespace {

using namespace lanes;

// The largest distance between each of eight poses and the next, in metres, of each joint and of
// all. The last lane is meaningless.
struct NextDistances {
  std::span<const LanePose> poses;
  std::span<const SeenJoint> joints;

  static CK_LANES_INLINE F8 toNext(const float (&values)[kLaneCount]) {
    const F8 v = load<F8>(values);
    return __builtin_shufflevector(v, v, 1, 2, 3, 4, 5, 6, 7, 7) - v;
  }

  CK_LANES_INLINE void run(float* ofJoints, float (&ofAll)[kLaneCount]) const {
    F8 most = {};
    for (std::size_t joint = 0; joint < joints.size(); ++joint) {
      const SeenJoint& seen = joints[joint];
      if (!seen.isSeen) continue;
      F8 squares[3] = {};  // of each point
      for (const auto& row : poses[joint].rows) {
        const F8 moved[4] = {toNext(row[0]), toNext(row[1]), toNext(row[2]), toNext(row[3])};
        for (int point = 0; point < 3; ++point) {
          const glm::vec3 at(seen.points[point]);
          const F8 d = moved[0] * at.x + moved[1] * at.y + moved[2] * at.z + moved[3];
          squares[point] += d * d;
        }
      }
      const F8 own = larger(larger(squares[0], squares[1]), squares[2]);
      most = larger(own, most);
      for (int lane = 0; lane < kCount; ++lane) ofJoints[joint * kLaneCount + lane] = own[lane];
    }
    store(ofAll, most);
  }

  CK_LANES_CLONES static void best(const NextDistances& work, float* ofJoints,
                                   float (&ofAll)[kLaneCount]) {
    work.run(ofJoints, ofAll);
  }
};

// Adds the steps of all times.
void addAllSteps(const SeenFigure& figure, const LanePoser& poser, const std::vector<double>& times,
                 const JobContext& job, LoopSteps& steps) {
  // Batches overlap by one moment. Steps past the last time are none.
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
  std::vector<float> squares(figure.joints.size() * kLaneCount);
  for (std::size_t batch = 0; batch < batches && !job.stopRequested(); ++batch) {
    poser.pose(run, batch, poses);
    float largest[kLaneCount];
    NextDistances::best({poses, figure.joints}, squares.data(), largest);
    for (std::size_t joint = 0; joint < figure.joints.size(); ++joint) {
      const float* own = &squares[joint * kLaneCount];
      for (std::size_t step = 0; step < kSteps; ++step) {
        steps.joints[joint] += 1000.0 * static_cast<double>(std::sqrt(own[step]));
      }
    }
    for (std::size_t step = 0; step < kSteps; ++step) {
      steps.largest += 1000.0 * static_cast<double>(std::sqrt(largest[step]));
    }
  }
  steps.jointSteps = times.size() - 1;
}

// Adds some windows of steps. The golden ratio spreads them evenly over the clip and out of step
// with any cycle that it repeats.
void addSomeSteps(const SeenFigure& figure, WindowSampler& sampler,
                  const std::vector<double>& times, const JobContext& job, LoopSteps& steps) {
  constexpr std::size_t kWindows = 32;
  constexpr std::size_t kSteps = 4;
  constexpr double kGolden = 0.6180339887498949;
  const auto poseAt = [&](double seconds) {
    const auto pose = sampler.skinMatrices(seconds);
    return FigurePose{{pose.begin(), pose.end()}, {}};
  };
  for (std::size_t window = 0; window < kWindows && !job.stopRequested(); ++window) {
    const double spread = kGolden * (static_cast<double>(window) + 0.5);
    const double share = spread - std::floor(spread);
    const auto first = static_cast<std::size_t>(share * static_cast<double>(times.size() - kSteps));
    FigurePose before = poseAt(times[first]);
    for (std::size_t step = 1; step <= kSteps; ++step) {
      FigurePose now = poseAt(times[first + step]);
      steps.add(figure, before, now);
      before = std::move(now);
    }
  }
}

// Adds the steps of morph weights, 256 of them in a long clip.
void addMorphSteps(const SeamMeasure& measure, const Clip& clip, const std::vector<double>& times,
                   LoopSteps& steps) {
  constexpr std::size_t kMost = 256;
  const std::size_t stride = 1 + (times.size() - 1) / kMost;
  for (std::size_t i = 0; i + 1 < times.size(); i += stride) {
    steps.add(measure.figure, {{}, morphWeightsAt(measure.character, clip, times[i])},
              {{}, morphWeightsAt(measure.character, clip, times[i + 1])});
  }
}

// The poses at both ends, by the joints that `poseAt` gives for the number of a time.
template <class PoseAt>
LoopEnds endsOf(const SeamMeasure& measure, const Clip& clip, const std::vector<double>& times,
                PoseAt&& poseAt) {
  const auto poseOf = [&](std::size_t time) {
    return FigurePose{poseAt(time), morphWeightsAt(measure.character, clip, times[time])};
  };
  const std::size_t last = times.size() - 1;
  return {poseOf(0), poseOf(1), poseOf(last - 1), poseOf(last)};
}

LoopEnds endsOf(const SeamMeasure& measure, const Clip& clip, const std::vector<double>& times,
                const LanePoser& poser) {
  const std::size_t last = times.size() - 1;
  const std::size_t moments[] = {0, 1, last - 1, last};
  std::vector<StoredFrame> frames;
  for (const std::size_t moment : moments) frames.push_back({times[moment], {}});
  LanePoser::Run run;
  poser.prepare(frames, run);
  std::vector<LanePose> poses(poser.skinJointCount());
  poser.pose(run, 0, poses);
  return endsOf(measure, clip, times, [&](std::size_t time) {
    const auto lane = std::ranges::find(moments, time) - moments;
    std::vector<glm::dmat4> joints(poses.size(), glm::dmat4(1.0));
    for (std::size_t j = 0; j < poses.size(); ++j) {
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
          joints[j][column][row] = static_cast<double>(poses[j].rows[row][column][lane]);
        }
      }
    }
    return joints;
  });
}

LoopFigures figuresOf(const SeamMeasure& measure, const Clip& clip,
                      const std::vector<double>& times, const LanePoser* poser,
                      const JobContext& job) {
  LoopSteps steps(measure.figure);
  LoopEnds ends;
  if (poser != nullptr) {
    addAllSteps(measure.figure, *poser, times, job, steps);
    ends = endsOf(measure, clip, times, *poser);
  } else {
    WindowSampler sampler(measure.character.rig, clip, 0.0);
    addSomeSteps(measure.figure, sampler, times, job, steps);
    ends = endsOf(measure, clip, times, [&](std::size_t time) {
      const auto pose = sampler.skinMatrices(times[time]);
      return std::vector<glm::dmat4>(pose.begin(), pose.end());
    });
  }
  if (job.stopRequested()) return {};
  if (!clip.morphTracks.empty()) addMorphSteps(measure, clip, times, steps);
  const double stepSeconds = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  return loopFigures(measure.character, measure.figure, ends, steps, times.size(), stepSeconds);
}

}  // namespace

Seam classifySeam(const LoopFigures& figures, double limitMm) {
  const LoopGap gap = loopGap(figures, limitMm);
  if (gap == LoopGap::Open) return Seam::None;
  return gap == LoopGap::Closed ? Seam::Inclusive : Seam::Exclusive;
}

SeamMeasure::SeamMeasure(const Character& measured, std::optional<double> chosenMm)
    : character(measured), figure(measured), limitMm(seamLimitMm(measured, chosenMm)) {}

SeamVerdict measureSeam(const SeamMeasure& measure, const Clip& clip,
                        const std::vector<double>& times, const LanePoser* poser,
                        const JobContext& job) {
  if (times.size() < 2) return {Seam::Inclusive, 0.0, 0.0};
  std::optional<LanePoser> own;
  if (poser == nullptr && posesAllKeys(times.size())) {
    poser = &own.emplace(measure.character.rig, clip, 0.0);
  }
  const LoopFigures figures = figuresOf(measure, clip, times, poser, job);
  if (job.stopRequested()) return {};
  return {classifySeam(figures, measure.limitMm), figures.seamMm, figures.stepMm};
}

SeamVerdict measureSeam(const Character& character, const Clip& clip,
                        std::optional<double> chosenMm, const JobContext& job) {
  return measureSeam(SeamMeasure(character, chosenMm), clip, keyTimes(clip), nullptr, job);
}

}  // namespace ck
