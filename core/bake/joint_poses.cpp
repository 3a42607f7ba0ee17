#include "core/bake/joint_poses.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "core/bake/pose/lane_box.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose/vertex_set.h"
#include "core/bake/pose_lanes.h"
#include "core/bake/single_poses.h"
#include "core/bake/step_frames.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

constexpr std::size_t kFramesPerTask = 64;

// A range of frames of one window, evaluated by one thread, with its measurements.
struct Task {
  std::size_t window = 0;
  std::size_t firstFrame = 0;  // within the window
  std::size_t frameCount = 0;
  PosedBox box;
  double scaleDroppedMm = 0.0;
  int scaleDroppedJoint = -1;
  double limitedMm = 0.0;
  std::optional<std::size_t> brokenJoint;  // the first joint whose pose is not finite
};

// Input that all tasks read.
struct Inputs {
  const Character& character;
  std::span<const BakeWindow> windows;
  std::vector<std::vector<StoredFrame>> frames;  // per window
  Shell shell;
  const LimitedVertices& limited;
  LaneVertices vertices;
  PoseForm form = PoseForm::Pivot;
  std::vector<JointConstants> constants;
  std::vector<std::shared_ptr<const LanePoser>> posers;  // per window
  std::vector<std::unique_ptr<RotationsBefore>> before;  // per window
};

// Evaluates the frames of a task, eight side by side.
class TaskRun {
 public:
  TaskRun(const Inputs& inputs, Task& task, JointPoses& poses)
      : inputs_(inputs),
        task_(task),
        result_(poses),
        poser_(*inputs.posers[task.window]),
        lanes_(poses.jointCount),
        pivots_(poses.jointCount),
        plan_(valuePlanOf(inputs.form)),
        values_(poses.jointCount * plan_.keptCount),
        trails_(poses.jointCount),
        mender_(inputs.constants, *inputs.before[task.window], task.firstFrame / kFramesPerTask) {}

  void run() {
    poser_.prepare(
        std::span(inputs_.frames[task_.window]).subspan(task_.firstFrame, task_.frameCount),
        moments_);
    for (std::size_t joint = 0; joint < result_.jointCount; ++joint) {
      globals_.push_back(&poser_.jointOf(moments_, joint));
    }
    float limited = 0.0f;
    for (std::size_t batch = 0; batch < moments_.batchCount(); ++batch) {
      poser_.pose(moments_, batch, lanes_);
      const std::size_t first = batch * kLaneCount;
      const std::size_t count = std::min(kLaneCount, task_.frameCount - first);
      if (!store(first, count)) {
        task_.brokenJoint = brokenJoint(lanes_);
        return;
      }
      inputs_.vertices.grow(lanes_, task_.box);
      if (inputs_.vertices.limits()) {
        limited = std::max(limited, inputs_.vertices.worstLimited(lanes_));
      }
    }
    task_.limitedMm = static_cast<double>(limited) * 1000.0;
  }

 private:
  JointPose& poseAt(std::size_t joint, std::size_t frame) {
    const std::size_t at = result_.firstFrames[task_.window] + task_.firstFrame + frame;
    return result_.poses[joint * result_.frameCount + at];
  }

  void lose(std::size_t joint, double meters) {
    const double mm = 1000.0 * inputs_.shell.radii[joint] * meters;
    if (inputs_.shell.hasVertices[joint] == 0 || !(mm > task_.scaleDroppedMm)) return;
    task_.scaleDroppedMm = mm;
    task_.scaleDroppedJoint = static_cast<int>(joint);
  }

  // False if a pose is not finite.
  bool store(std::size_t first, std::size_t count) {
    const LaneStore store{plan_, inputs_.constants, {}, trails_, values_.data(), &mender_};
    if (inputs_.form == PoseForm::Pivot) {
      std::vector<LaneMost> lost(result_.jointCount);
      if (!pivotsOf(lanes_, pivots_, lost, LanePath::Best) &&
          !mender_.mend(lanes_, trails_, pivots_, lost)) {
        return false;
      }
      storePivots(store, pivots_, LanePath::Best);
      for (std::size_t joint = 0; joint < lost.size(); ++joint) {
        lose(joint, std::sqrt(static_cast<double>(largestOf(lost[joint]))));
      }
    } else if (inputs_.form == PoseForm::Trs) {
      if (!storeTrs(store, globals_, LanePath::Best)) return false;
    } else if (!storeMatrices(store, lanes_, LanePath::Best)) {
      return false;
    }
    for (std::size_t joint = 0; joint < result_.jointCount; ++joint) {
      const std::span own = std::span(values_).subspan(joint * plan_.keptCount, plan_.keptCount);
      for (std::size_t lane = 0; lane < count; ++lane) {
        poseAt(joint, first + lane) = poseOf(own, lane);
      }
    }
    return true;
  }

  JointPose poseOf(std::span<const LaneValue> values, std::size_t lane) const {
    const auto number = [&](std::size_t value, int i) { return values[value].at[i][lane]; };
    const auto three = [&](std::size_t value) {
      return glm::vec3(number(value, 0), number(value, 1), number(value, 2));
    };
    JointPose pose;
    if (inputs_.form == PoseForm::Matrix) {
      pose.position = glm::vec3(number(0, 3), number(1, 3), number(2, 3));
      pose.linear = glm::transpose(glm::mat3(three(0), three(1), three(2)));
      return pose;
    }
    pose.position = three(0);
    pose.rotation = glm::quat(number(1, 3), number(1, 0), number(1, 1), number(1, 2));
    pose.scale = inputs_.form == PoseForm::Trs ? three(2) : glm::vec3(number(0, 3));
    return pose;
  }

  const Inputs& inputs_;
  Task& task_;
  JointPoses& result_;
  const LanePoser& poser_;
  LanePoser::Run moments_;
  std::vector<LanePose> lanes_;
  std::vector<LanePivot> pivots_;
  std::vector<const LaneRows*> globals_;
  TexelPlan plan_;
  std::vector<LaneValue> values_;  // of the last batch, joint by joint
  std::vector<PoseTrail> trails_;
  PoseMender mender_;
};

std::vector<Task> makeTasks(std::span<const BakeWindow> windows) {
  std::vector<Task> tasks;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const auto count = static_cast<std::size_t>(windows[w].frameCount);
    for (std::size_t first = 0; first < count; first += kFramesPerTask) {
      Task task;
      task.window = w;
      task.firstFrame = first;
      task.frameCount = std::min(kFramesPerTask, count - first);
      tasks.push_back(task);
    }
  }
  return tasks;
}

PoseFacts gather(std::span<const Task> tasks, const Inputs& inputs) {
  PoseFacts facts;
  facts.bounds.resize(inputs.windows.size());
  facts.limitedVertices = static_cast<int>(inputs.limited.all.size());
  facts.mostInfluences = inputs.limited.mostInfluences;
  for (const Task& task : tasks) {
    Bounds& bounds = facts.bounds[task.window];
    const glm::dvec3 low(task.box.low);
    const glm::dvec3 high(task.box.high);
    bounds.low = task.firstFrame == 0 ? low : glm::min(bounds.low, low);
    bounds.high = task.firstFrame == 0 ? high : glm::max(bounds.high, high);
    facts.limitedMm = std::max(facts.limitedMm, task.limitedMm);
    if (task.scaleDroppedMm > facts.scaleDroppedMm) {
      facts.scaleDroppedMm = task.scaleDroppedMm;
      facts.scaleDroppedJoint = task.scaleDroppedJoint;
      facts.scaleDroppedWindow = static_cast<int>(task.window);
    }
  }
  return facts;
}

// Lets the rotations of each task go on with the sign that the task before ends with.
void alignSigns(std::span<JointPose> frames) {
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (glm::dot(frames[i].rotation, frames[i - 1].rotation) < 0.0f) {
      frames[i].rotation = -frames[i].rotation;
    }
  }
}

JointPoses makeRoom(std::size_t jointCount, std::span<const BakeWindow> windows) {
  JointPoses poses;
  poses.jointCount = jointCount;
  for (const BakeWindow& window : windows) {
    poses.firstFrames.push_back(poses.frameCount);
    poses.frameCount += static_cast<std::size_t>(window.frameCount);
  }
  poses.poses.resize(poses.frameCount * poses.jointCount);
  return poses;
}

}  // namespace

Result<void> checkSkin(const Character& character) {
  if (!character.rig.skinJoints.empty()) return {};
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: there is no skin, so there are no joints to bake; a rig needs a "
                          "mesh that follows its joints",
                          character.name));
}

tl::unexpected<Error> brokenPose(const Character& character, const BakeWindow& window,
                                 std::size_t skinJoint) {
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("{}: clip '{}' moves joint '{}' to a place that is not a number", character.name,
                  window.motion->name, skinJointNames(character.rig)[skinJoint]));
}

std::vector<StoredFrame> posedFrames(const BakeWindow& window) {
  std::vector<StoredFrame> frames = storedFrames(window);
  const bool closes = window.loop == LoopMode::Loop && window.seam != Seam::None;
  if (closes) frames.back() = frames.front();
  return frames;
}

std::vector<JointConstants> constantsOf(const Rig& rig) {
  std::vector<JointConstants> constants;
  const std::vector<glm::vec3> pivots = bakedPivots(rig);
  for (std::size_t joint = 0; joint < pivots.size(); ++joint) {
    const glm::vec3 scale(bindScaleOf(rig.skinJoints[joint]));
    const glm::vec3& pivot = pivots[joint];
    constants.push_back({{pivot.x, pivot.y, pivot.z}, {scale.x, scale.y, scale.z}});
  }
  return constants;
}

std::shared_ptr<const LanePoser> poserOf(const Rig& rig, const BakeWindow& window, int threads) {
  if (window.poser != nullptr) return window.poser;
  return std::make_shared<const LanePoser>(rig, *window.motion, window.closingSeconds, threads);
}

std::vector<AtlasJoint> atlasJointsOf(const Rig& rig) {
  const std::vector<std::string> names = skinJointNames(rig);
  const std::vector<int> parents = skinJointParents(rig);
  const std::vector<glm::vec3> pivots = bakedPivots(rig);
  std::vector<AtlasJoint> joints;
  for (std::size_t i = 0; i < names.size(); ++i) {
    glm::dmat4 inverseBind = rig.skinJoints[i].inverseBind;
    const glm::dvec3 scale = bindScaleOf(rig.skinJoints[i]);
    for (int column = 0; column < 4; ++column) {
      inverseBind[column] *= glm::dvec4(scale, 1.0);
    }
    glm::mat4 stored(inverseBind);
    for (int column = 0; column < 4; ++column) stored[column].w = column == 3 ? 1.0f : 0.0f;
    joints.push_back({names[i], parents[i], pivots[i], stored, rig.skinJoints[i].isSocket});
  }
  return joints;
}

Result<EvaluatedPoses> evaluatePoses(const Character& character,
                                     std::span<const BakeWindow> windows, PoseWish wish,
                                     JobContext job) {
  const LimitedVertices limited = overLimit(character, wish.influences);
  Inputs inputs{character,
                windows,
                {},
                makeShell(character),
                limited,
                LaneVertices(distinctVertices(character), limited, character.rig.skinJoints),
                wish.form,
                constantsOf(character.rig),
                std::vector<std::shared_ptr<const LanePoser>>(windows.size()),
                std::vector<std::unique_ptr<RotationsBefore>>(windows.size())};
  for (const BakeWindow& window : windows) inputs.frames.push_back(posedFrames(window));
  const bool prepared = parallelFor(windows.size(), job, [&](std::size_t w) {
    // Several windows are prepared side by side; a single one gets all threads.
    inputs.posers[w] = poserOf(character.rig, windows[w], windows.size() > 1 ? 1 : job.threadCount);
    inputs.before[w] = std::make_unique<RotationsBefore>(
        *inputs.posers[w], inputs.form, inputs.constants, inputs.frames[w], kFramesPerTask);
  });
  if (!prepared) return fail(ErrorCode::Cancelled, "the bake was stopped");
  EvaluatedPoses result{makeRoom(character.rig.skinJoints.size(), windows), {}};
  std::vector<Task> tasks = makeTasks(windows);
  std::atomic<std::size_t> finished = 0;
  const bool done = parallelFor(tasks.size(), job, [&](std::size_t i) {
    TaskRun(inputs, tasks[i], result.poses).run();
    const std::size_t count = finished.fetch_add(1) + 1;
    job.report(static_cast<float>(count) / static_cast<float>(tasks.size()), "Evaluating poses");
  });
  if (!done) return fail(ErrorCode::Cancelled, "the bake was stopped");
  for (const Task& task : tasks) {
    if (task.brokenJoint) return brokenPose(character, windows[task.window], *task.brokenJoint);
  }
  for (std::size_t joint = 0; joint < result.poses.jointCount; ++joint) {
    for (std::size_t w = 0; w < windows.size(); ++w) {
      alignSigns(result.poses.of(joint, result.poses.firstFrames[w],
                                 static_cast<std::size_t>(windows[w].frameCount)));
    }
  }
  result.facts = gather(tasks, inputs);
  return result;
}

}  // namespace ck
