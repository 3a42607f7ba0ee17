#include "core/bake/joint_poses.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/atlas/pose_reading.h"
#include "core/bake/pose/lane_box.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose/vertex_set.h"
#include "core/bake/pose_lanes.h"
#include "core/bake/step_frames.h"
#include "core/base/parallel_for.h"
#include "core/base/transform.h"

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
  int brokenJoint = -1;  // the first joint whose pose is not finite
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
  std::vector<AtlasJoint> joints;
  std::vector<glm::dvec3> bindScales;
  std::vector<JointConstants> constants;
  std::vector<std::shared_ptr<const LanePoser>> posers;  // per window
};

bool hasSize(const JointPose& pose) {
  return pose.scale != glm::vec3(0.0f);
}

// The largest distance between the axes of a pose and its skin matrix.
double lostMeters(const Inputs& inputs, const glm::dmat4& skin, const JointPose& pose,
                  std::size_t joint) {
  if (!hasSize(pose)) return 0.0;
  const glm::dmat4 kept = skinMatrixOf(inputs.form, pose, inputs.joints[joint]);
  double lost = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    lost = std::max(lost, glm::length(glm::dvec3(skin[axis] - kept[axis])));
  }
  return lost;
}

bool finite(const glm::mat3& m) {
  for (int column = 0; column < 3; ++column) {
    if (!std::isfinite(m[column].x + m[column].y + m[column].z)) return false;
  }
  return true;
}

bool finite(const JointPose& pose) {
  const glm::vec3& p = pose.position;
  const glm::quat& q = pose.rotation;
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) &&
         std::isfinite(pose.scale.x + pose.scale.y + pose.scale.z) &&
         std::isfinite(q.x + q.y + q.z + q.w) && (!pose.linear || finite(*pose.linear));
}

glm::dmat4 matrixOf(const float (&rows)[3][4][kLaneCount], std::size_t lane) {
  glm::dmat4 matrix(1.0);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      matrix[column][row] = static_cast<double>(rows[row][column][lane]);
    }
  }
  return matrix;
}

// Evaluates the frames of a task, eight side by side. Poses without a size are rare and each a case
// of its own, so batches that have any are brought into their form one by one, in double.
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
        trails_(poses.jointCount) {}

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
      if (!storeUsual(first, count)) storeEach(first, count);
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

  // False if a pose is not finite or has no size.
  bool storeUsual(std::size_t first, std::size_t count) {
    const LaneStore store{plan_, inputs_.constants, {}, trails_, values_.data()};
    if (inputs_.form == PoseForm::Pivot) {
      std::vector<LaneMost> lost(result_.jointCount);
      if (!pivotsOf(lanes_, pivots_, lost, LanePath::Best)) return false;
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

  void storeEach(std::size_t first, std::size_t count) {
    for (std::size_t joint = 0; joint < result_.jointCount; ++joint) {
      for (std::size_t lane = 0; lane < count; ++lane) {
        const glm::dmat4 skin = matrixOf(lanes_[joint].rows, lane);
        JointPose& pose = poseAt(joint, first + lane);
        pose = singlePose(skin, joint, lane);
        if (!finite(pose) && task_.brokenJoint < 0) task_.brokenJoint = static_cast<int>(joint);
        lose(joint, lostMeters(inputs_, skin, pose, joint));
      }
    }
  }

  JointPose singlePose(const glm::dmat4& skin, std::size_t joint, std::size_t lane) const {
    const glm::dvec3 pivot(inputs_.shell.pivots[joint]);
    if (inputs_.form == PoseForm::Pivot) return pivotPoseOf(skin, pivot);
    if (inputs_.form == PoseForm::Matrix) return matrixPoseOf(skin, pivot);
    return trsPoseOf(matrixOf(globals_[joint]->at, lane), inputs_.bindScales[joint]);
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

// A joint of scale 0 takes the rotation of the frame before. At the start it takes the first
// rotation of a frame with a scale.
void fillRotations(std::span<JointPose> frames) {
  const auto firstSized = std::find_if(frames.begin(), frames.end(), hasSize);
  if (firstSized == frames.end()) return;
  glm::quat last = firstSized->rotation;
  for (JointPose& pose : frames) {
    if (hasSize(pose)) {
      last = pose.rotation;
    } else {
      pose.rotation = last;
    }
  }
}

void settle(std::span<JointPose> frames, const BakeWindow& window) {
  fillRotations(frames);
  if (window.loop == LoopMode::Loop && window.seam != Seam::None) frames.back() = frames.front();
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (glm::dot(frames[i].rotation, frames[i - 1].rotation) < 0.0f) {
      frames[i].rotation = -frames[i].rotation;
    }
  }
}

Result<void> checkTasks(std::span<const Task> tasks, const Inputs& inputs) {
  for (const Task& task : tasks) {
    if (task.brokenJoint < 0) continue;
    const BakeWindow& window = inputs.windows[task.window];
    const auto names = skinJointNames(inputs.character.rig);
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: clip '{}' moves joint '{}' to a place that is not a number",
                            inputs.character.name, window.motion->name,
                            names[static_cast<std::size_t>(task.brokenJoint)]));
  }
  return {};
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

JointPose pivotPoseOf(const glm::dmat4& skinMatrix, const glm::dvec3& pivot) {
  constexpr double kNoSize = 1e-6;
  const glm::dmat3 linear(skinMatrix);
  const double longest =
      std::max({glm::length(linear[0]), glm::length(linear[1]), glm::length(linear[2])});
  JointPose pose;
  pose.position = glm::vec3(linear * pivot + glm::dvec3(skinMatrix[3]));
  if (longest < kNoSize) {
    pose.scale = glm::vec3(0.0f);
    return pose;
  }
  pose.scale = glm::vec3(static_cast<float>(std::cbrt(glm::determinant(linear))));
  pose.rotation = glm::quat(rotationOf(linear));
  return pose;
}

JointPose matrixPoseOf(const glm::dmat4& skinMatrix, const glm::dvec3& pivot) {
  JointPose pose;
  pose.linear = glm::mat3(glm::dmat3(skinMatrix));
  pose.position = glm::vec3(glm::dmat3(skinMatrix) * pivot + glm::dvec3(skinMatrix[3]));
  return pose;
}

glm::dvec3 bindScaleOf(const SkinJoint& skinJoint) {
  constexpr double kNoSize = 1e-9;
  glm::dvec3 scale = decompose(affineInverse(skinJoint.inverseBind)).trs.scale;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(std::abs(scale[axis]) > kNoSize)) scale[axis] = 1.0;
  }
  return scale;
}

JointPose trsPoseOf(const glm::dmat4& global, const glm::dvec3& bindScale) {
  constexpr double kNoSize = 1e-6;
  const Trs trs = decompose(global).trs;
  JointPose pose;
  pose.position = glm::vec3(trs.translation);
  pose.scale = glm::vec3(trs.scale / bindScale);
  if (glm::length(trs.scale / bindScale) < kNoSize) {
    pose.scale = glm::vec3(0.0f);
    return pose;
  }
  pose.rotation = glm::quat(trs.rotation);
  return pose;
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
                atlasJointsOf(character.rig),
                {},
                constantsOf(character.rig),
                std::vector<std::shared_ptr<const LanePoser>>(windows.size())};
  for (const SkinJoint& skinJoint : character.rig.skinJoints) {
    inputs.bindScales.push_back(bindScaleOf(skinJoint));
  }
  for (const BakeWindow& window : windows) inputs.frames.push_back(storedFrames(window));
  const bool prepared = parallelFor(windows.size(), job, [&](std::size_t w) {
    // Several windows are prepared side by side; a single one gets all threads.
    inputs.posers[w] = poserOf(character.rig, windows[w], windows.size() > 1 ? 1 : job.threadCount);
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
  if (auto ok = checkTasks(tasks, inputs); !ok) return tl::unexpected(ok.error());
  for (std::size_t joint = 0; joint < result.poses.jointCount; ++joint) {
    for (std::size_t w = 0; w < windows.size(); ++w) {
      settle(result.poses.of(joint, result.poses.firstFrames[w],
                             static_cast<std::size_t>(windows[w].frameCount)),
             windows[w]);
    }
  }
  result.facts = gather(tasks, inputs);
  return result;
}

}  // namespace ck
