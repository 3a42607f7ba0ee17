#include "core/bake/bake_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>

#include "core/anim/edited_clip.h"
#include "core/atlas/pose_reading.h"
#include "core/bake/bake_window.h"
#include "core/bake/error_tally.h"
#include "core/bake/shell.h"
#include "core/bake/vertex_set.h"
#include "core/bake/window_sampler.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

constexpr std::size_t kVertexStride = 7;

// A time to compare at, in the source and in the atlas.
struct Moment {
  double seconds = 0.0;
  double unit = 0.0;  // in [0, 1] of the atlas clip
};

struct ClipPair {
  std::shared_ptr<const Clip> source;  // with the clip edit that was baked
  int atlasClip = 0;
  double closingSeconds = 0.0;
  std::vector<Moment> moments;
};

// Input that all threads read.
struct Inputs {
  const Character& character;
  const Atlas& atlas;
  std::vector<ClipPair> clips;
  Shell shell;
  VertexSet all;      // every 7th vertex, all influences
  VertexSet limited;  // the same vertices with the atlas's limit of influences
};

// A range of moments of one clip, compared by one thread.
struct Task {
  std::size_t clip = 0;
  std::size_t firstMoment = 0;
  std::size_t momentCount = 0;
  std::array<ErrorTally, 2> tallies;  // by Reading
};

std::vector<double> withInnerTimes(const std::vector<double>& keys) {
  constexpr int kInner = 4;
  std::vector<double> times;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    times.push_back(keys[k]);
    for (int i = 1; k + 1 < keys.size() && i <= kInner; ++i) {
      times.push_back(keys[k] + (keys[k + 1] - keys[k]) * i / (kInner + 1.0));
    }
  }
  return times;
}

// Key times, four times inside every key interval (the closing step counts as one), and the baked
// times that are not key times.
std::vector<Moment> momentsOf(const Clip& clip, const AtlasClip& baked, double closingSeconds) {
  constexpr double kSameSeconds = 1e-6;
  std::vector<double> keys = keyTimes(clip);
  if (keys.empty()) keys.push_back(clip.startSeconds);
  if (closingSeconds > 0.0) keys.push_back(baked.startSeconds + baked.durationSeconds);

  std::vector<Moment> moments;
  const double duration = baked.durationSeconds;
  for (const double time : withInnerTimes(keys)) {
    const double unit = duration > 0.0 ? (time - baked.startSeconds) / duration : 0.0;
    moments.push_back({time, std::clamp(unit, 0.0, 1.0)});
  }
  BakeWindow window;
  window.startSeconds = baked.startSeconds;
  window.durationSeconds = duration;
  window.closingSeconds = closingSeconds;
  window.frameCount = baked.frameCount;
  const std::vector<double> frames = frameTimes(clip, window);
  for (std::size_t frame = 0; frame < frames.size() && duration > 0.0; ++frame) {
    const auto near = std::lower_bound(keys.begin(), keys.end(), frames[frame] - kSameSeconds);
    if (near != keys.end() && *near <= frames[frame] + kSameSeconds) continue;
    moments.push_back({frames[frame], static_cast<double>(frame) / (baked.frameCount - 1)});
  }
  std::sort(moments.begin(), moments.end(),
            [](const Moment& a, const Moment& b) { return a.seconds < b.seconds; });
  return moments;
}

tl::unexpected<Error> doesNotFit(const Character& character, const std::string& why) {
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: the atlas was not baked from this rig: {}", character.name, why));
}

Result<ClipPair> pairClip(const Character& character, const Atlas& atlas, int atlasClip) {
  constexpr double kSameSeconds = 1e-6;
  const AtlasClip& baked = atlas.clips[static_cast<std::size_t>(atlasClip)];
  const auto found = std::find_if(character.clips.begin(), character.clips.end(),
                                  [&](const Clip& c) { return c.name == sourceNameOf(baked); });
  if (found == character.clips.end()) {
    return doesNotFit(character, fmt::format("the rig has no clip '{}'", sourceNameOf(baked)));
  }
  auto shaped = editedClip(character.rig, *found, baked.edit);
  if (!shaped) return doesNotFit(character, shaped.error().message);
  ClipPair pair;
  pair.source = std::make_shared<const Clip>(std::move(*shaped));
  pair.atlasClip = atlasClip;
  const double length = pair.source->durationSeconds;
  if (baked.seam == Seam::Exclusive) pair.closingSeconds = baked.durationSeconds - length;
  const double duration = baked.durationSeconds - pair.closingSeconds;
  if (std::abs(baked.startSeconds - pair.source->startSeconds) > kSameSeconds ||
      std::abs(duration - length) > kSameSeconds || pair.closingSeconds < 0.0) {
    return doesNotFit(character, fmt::format("clip '{}' is {:.4f} s long there and {:.4f} s here",
                                             baked.name, duration, length));
  }
  pair.moments = momentsOf(*pair.source, baked, pair.closingSeconds);
  return pair;
}

Result<void> checkJoints(const Character& character, const Atlas& atlas) {
  const std::vector<std::string> names = skinJointNames(character.rig);
  if (names.size() != atlas.joints.size()) {
    return doesNotFit(character, fmt::format("it has {} joints there and {} here",
                                             atlas.joints.size(), names.size()));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == atlas.joints[i].name) continue;
    return doesNotFit(character, fmt::format("joint {} is '{}' there and '{}' here", i,
                                             atlas.joints[i].name, names[i]));
  }
  return {};
}

// Compares moments in ascending time, so that each frame is decoded once.
class Comparison {
 public:
  Comparison(const Inputs& inputs, const ClipPair& pair)
      : inputs_(inputs),
        pair_(pair),
        sampler_(inputs.character.rig, *pair.source, pair.closingSeconds),
        floats_(inputs.atlas.joints.size()),
        posed_(inputs.all.size()) {}

  void compare(const Moment& moment, std::array<ErrorTally, 2>& tallies) {
    const std::span<const glm::dmat4> source = sampler_.skinMatrices(moment.seconds);
    std::transform(source.begin(), source.end(), floats_.begin(),
                   [](const glm::dmat4& m) { return glm::mat4(m); });
    for (std::size_t v = 0; v < posed_.size(); ++v) {
      posed_[v] = posedVertex(inputs_.all, v, floats_);
    }
    for (const Reading reading : {Reading::Palette, Reading::Direct}) {
      ErrorTally& tally = tallies[static_cast<std::size_t>(reading)];
      const std::vector<JointPose> poses = posesAt(moment.unit, reading);
      for (std::size_t joint = 0; joint < poses.size(); ++joint) {
        compareJoint(source[joint], poses[joint], joint, moment.seconds, tally);
      }
      compareVertices(tally);
    }
  }

 private:
  struct Decoded {
    int frame = -1;
    std::vector<JointPose> poses;
  };

  const std::vector<JointPose>& frame(int index) {
    Decoded& slot = decoded_[static_cast<std::size_t>(index % 2)];
    if (slot.frame != index) {
      slot.poses = storedFrame(inputs_.atlas, pair_.atlasClip, index);
      slot.frame = index;
    }
    return slot.poses;
  }

  std::vector<JointPose> posesAt(double unit, Reading reading) {
    const int count = inputs_.atlas.clips[static_cast<std::size_t>(pair_.atlasClip)].frameCount;
    if (!inputs_.atlas.interpolate) return frame(nearestFrame(unit, count));
    const FramePair pair = framesAt(unit, count);
    const std::vector<JointPose>& frame0 = frame(pair.frame0);
    const std::vector<JointPose>& frame1 = frame(pair.frame1);
    return posesBetween(inputs_.atlas.joints, frame0, frame1, static_cast<float>(pair.alpha),
                        reading);
  }

  void compareJoint(const glm::dmat4& source, const JointPose& pose, std::size_t joint,
                    double seconds, ErrorTally& tally) {
    constexpr double kNoSize = 1e-18;
    const glm::vec3& pivot = inputs_.atlas.joints[joint].pivot;
    const glm::dmat4 decoded =
        skinMatrixOf(formOf(inputs_.atlas), pose, inputs_.atlas.joints[joint]);
    floats_[joint] = glm::mat4(decoded);
    if (inputs_.shell.judged[joint] == 0) return;
    const double mm =
        1000.0 * shellDistance(source, decoded, glm::dvec3(pivot), inputs_.shell.radii[joint]);
    tally.add(mm, static_cast<int>(joint), seconds);
    const glm::dmat3 linear(source);
    if (std::abs(glm::determinant(linear)) < kNoSize) return;
    const glm::dquat shown = formOf(inputs_.atlas) == PoseForm::Pivot
                                 ? glm::dquat(pose.rotation)
                                 : rotationOf(glm::dmat3(decoded));
    const glm::dquat between = glm::conjugate(rotationOf(linear)) * shown;
    const double sine = glm::length(glm::dvec3(between.x, between.y, between.z));
    tally.addAngle(2.0 * std::atan2(sine, std::abs(between.w)));
  }

  void compareVertices(ErrorTally& tally) {
    float worst = 0.0f;
    for (std::size_t v = 0; v < posed_.size(); ++v) {
      worst = std::max(worst, glm::distance(posed_[v], posedVertex(inputs_.limited, v, floats_)));
    }
    tally.addVertex(static_cast<double>(worst) * 1000.0);
  }

  const Inputs& inputs_;
  const ClipPair& pair_;
  WindowSampler sampler_;
  std::array<Decoded, 2> decoded_;
  std::vector<glm::mat4> floats_;
  std::vector<glm::vec3> posed_;
};

std::vector<Task> makeTasks(const Inputs& inputs) {
  constexpr std::size_t kFewest = 64;
  constexpr std::size_t kTasks = 512;
  std::size_t total = 0;
  for (const ClipPair& clip : inputs.clips) total += clip.moments.size();
  const std::size_t size = std::max(kFewest, total / kTasks);
  std::vector<Task> tasks;
  for (std::size_t clip = 0; clip < inputs.clips.size(); ++clip) {
    const std::size_t count = inputs.clips[clip].moments.size();
    for (std::size_t first = 0; first < count; first += size) {
      tasks.push_back({clip, first, std::min(size, count - first), {}});
    }
  }
  return tasks;
}

ErrorFigures figuresOf(const Inputs& inputs, const std::vector<Task>& tasks, Reading reading) {
  ErrorTally sum;
  ErrorFigures figures;
  const std::vector<std::string> names = skinJointNames(inputs.character.rig);
  for (const Task& task : tasks) {
    const ErrorTally& tally = task.tallies[static_cast<std::size_t>(reading)];
    if (tally.maxMm() > sum.maxMm() || figures.worstClip.empty()) {
      const AtlasClip& clip = inputs.atlas.clips[task.clip];
      figures.worstClip = clip.name;
      figures.worstJoint = names[static_cast<std::size_t>(tally.worstJoint())];
      figures.worstTimeSeconds =
          clip.startSeconds + (tally.worstSeconds() - clip.startSeconds) * clip.edit.rate;
    }
    sum.merge(tally);
  }
  figures.maxMm = sum.maxMm();
  figures.p99Mm = sum.quantileMm(0.99);
  figures.rmsMm = sum.rmsMm();
  figures.maxDegrees = sum.maxDegrees();
  figures.vertexMaxMm = sum.vertexMaxMm();
  return figures;
}

}  // namespace

Result<BakeError> measureBakeError(const Character& character, const Atlas& atlas, JobContext job) {
  if (auto ok = checkJoints(character, atlas); !ok) return tl::unexpected(ok.error());
  Inputs inputs{character,
                atlas,
                {},
                makeShell(character),
                everyVertex(character, kVertexStride, 0),
                everyVertex(character, kVertexStride, atlas.influences)};
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    auto pair = pairClip(character, atlas, static_cast<int>(clip));
    if (!pair) return tl::unexpected(pair.error());
    inputs.clips.push_back(std::move(*pair));
  }
  std::vector<Task> tasks = makeTasks(inputs);
  std::atomic<std::size_t> finished = 0;
  const bool done = parallelFor(tasks.size(), job, [&](std::size_t i) {
    Task& task = tasks[i];
    const ClipPair& pair = inputs.clips[task.clip];
    Comparison comparison(inputs, pair);
    for (std::size_t m = 0; m < task.momentCount && !job.stopRequested(); ++m) {
      comparison.compare(pair.moments[task.firstMoment + m], task.tallies);
    }
    const std::size_t count = finished.fetch_add(1) + 1;
    job.report(static_cast<float>(count) / static_cast<float>(tasks.size()), "Measuring the error");
  });
  if (!done) return fail(ErrorCode::Cancelled, "the measurement was stopped");
  return BakeError{figuresOf(inputs, tasks, Reading::Palette),
                   figuresOf(inputs, tasks, Reading::Direct)};
}

}  // namespace ck
