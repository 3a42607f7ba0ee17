#include "core/bake/single_poses.h"

#include <algorithm>
#include <cmath>

#include "core/base/transform.h"

namespace ck {
namespace {

glm::dmat4 matrixOf(const float (&rows)[3][4][kLaneCount], std::size_t lane) {
  glm::dmat4 matrix(1.0);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      matrix[column][row] = static_cast<double>(rows[row][column][lane]);
    }
  }
  return matrix;
}

glm::dvec3 vectorOf(const float (&numbers)[3]) {
  return {static_cast<double>(numbers[0]), static_cast<double>(numbers[1]),
          static_cast<double>(numbers[2])};
}

bool hasSize(const JointPose& pose) {
  return pose.scale != glm::vec3(0.0f);
}

bool isFinite(const glm::dmat4& matrix) {
  double sum = 0.0;
  for (int column = 0; column < 4; ++column) {
    sum += matrix[column].x + matrix[column].y + matrix[column].z;
  }
  return std::isfinite(sum);
}

// The squared distance between the axes of a pose and its matrix.
float lostSquareOf(const glm::dmat4& skin, const JointPose& pose) {
  if (!hasSize(pose)) return 0.0f;
  const glm::dmat3 kept =
      glm::mat3_cast(glm::dquat(pose.rotation)) * static_cast<double>(pose.scale.x);
  double most = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const glm::dvec3 off = glm::dvec3(skin[axis]) - kept[axis];
    most = std::max(most, glm::dot(off, off));
  }
  return static_cast<float>(most);
}

// A joint that is flat lies where rounding has put it, on one side or the other of its plane, and
// would be mirrored in every other frame. Gives its short axis the side of a joint that is not
// mirrored.
glm::dmat4 withoutNoise(glm::dmat4 matrix) {
  constexpr double kFlat = 1e-5;
  const glm::dvec3 lengths(glm::length(glm::dvec3(matrix[0])), glm::length(glm::dvec3(matrix[1])),
                           glm::length(glm::dvec3(matrix[2])));
  const double longest = std::max({lengths.x, lengths.y, lengths.z});
  for (int axis = 0; axis < 3; ++axis) {
    const glm::dvec3 side =
        glm::cross(glm::dvec3(matrix[(axis + 1) % 3]), glm::dvec3(matrix[(axis + 2) % 3]));
    const bool isPlane = glm::length(side) > kFlat * longest * longest;
    if (lengths[axis] > kFlat * longest || !isPlane) continue;
    matrix[axis] = glm::dvec4(glm::normalize(side) * lengths[axis], 0.0);
  }
  return matrix;
}

void setRotation(const glm::quat& rotation, float (&at)[4][kLaneCount], std::size_t lane) {
  at[0][lane] = rotation.x;
  at[1][lane] = rotation.y;
  at[2][lane] = rotation.z;
  at[3][lane] = rotation.w;
}
glm::quat rotationAt(const float (&at)[4][kLaneCount], std::size_t lane) {
  return {at[3][lane], at[0][lane], at[1][lane], at[2][lane]};
}
glm::quat lastOf(const PoseTrail& trail) {
  return {trail.last[3], trail.last[0], trail.last[1], trail.last[2]};
}

}  // namespace

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
  const Trs trs = decompose(withoutNoise(global)).trs;
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

namespace {

bool isFinite(const JointPose& pose) {
  const glm::vec3 sum = pose.position + pose.scale;
  return std::isfinite(sum.x + sum.y + sum.z + pose.rotation.w);
}

JointPose pivotPose(const JointConstants& joint, const LanePose& pose, std::size_t lane) {
  return pivotPoseOf(matrixOf(pose.rows, lane), vectorOf(joint.pivot));
}
JointPose trsPose(const JointConstants& joint, const LaneRows& global, std::size_t lane) {
  return trsPoseOf(matrixOf(global.at, lane), vectorOf(joint.bindScale));
}

}  // namespace

bool PoseMender::mend(std::span<const LanePose> poses, std::span<const PoseTrail> trails,
                      std::span<LanePivot> pivots, std::span<LaneMost> lostSquares) {
  for (std::size_t joint = 0; joint < pivots.size(); ++joint) {
    LanePivot& pivot = pivots[joint];
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      if (!std::isnan(pivot.scale[lane])) continue;
      const glm::dmat4 skin = matrixOf(poses[joint].rows, lane);
      if (!isFinite(skin)) return false;
      JointPose pose = pivotPose(joints_[joint], poses[joint], lane);
      if (!isFinite(pose)) return false;
      float& most = lostSquares[joint].at[lane];
      most = std::max(most, lostSquareOf(skin, pose));
      if (!hasSize(pose)) {
        pose.rotation = lane > 0                ? rotationAt(pivot.rotation, lane - 1)
                        : trails[joint].started ? lastOf(trails[joint])
                                                : before_.of(joint, run_);
      }
      setRotation(pose.rotation, pivot.rotation, lane);
      for (int axis = 0; axis < 3; ++axis) pivot.place[axis][lane] = pose.position[axis];
      pivot.scale[lane] = pose.scale.x;
    }
  }
  return true;
}

bool PoseMender::mend(std::size_t joint, const LaneRows& global, unsigned lanes,
                      const PoseTrail& trail, LaneValue (&values)[kMostValues]) {
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    if (!isFinite(matrixOf(global.at, lane))) return false;
    JointPose pose = trsPose(joints_[joint], global, lane);
    if (!isFinite(pose)) return false;
    if (!hasSize(pose)) {
      pose.rotation = lane > 0        ? rotationAt(values[1].at, lane - 1)
                      : trail.started ? lastOf(trail)
                                      : before_.of(joint, run_);
    }
    setRotation(pose.rotation, values[1].at, lane);
    for (int axis = 0; axis < 3; ++axis) {
      values[0].at[axis][lane] = pose.position[axis];
      values[2].at[axis][lane] = pose.scale[axis];
    }
  }
  return true;
}

glm::quat RotationsBefore::of(std::size_t joint, std::size_t run) {
  std::call_once(once_, [this] { find(); });
  return before_[run][joint].value_or(glm::quat(1.0f, 0.0f, 0.0f, 0.0f));
}

void RotationsBefore::find() {
  const std::size_t runs = (frames_.size() + framesPerRun_ - 1) / framesPerRun_;
  const Found none(joints_.size());
  before_.assign(runs, none);
  findIn(frames_, before_.front());
  for (std::size_t run = 1; run < runs; ++run) {
    const auto own = frames_.subspan((run - 1) * framesPerRun_, framesPerRun_);
    const std::vector<StoredFrame> backwards(own.rbegin(), own.rend());
    before_[run] = none;
    findIn(backwards, before_[run]);
    for (std::size_t joint = 0; joint < joints_.size(); ++joint) {
      if (!before_[run][joint]) before_[run][joint] = before_[run - 1][joint];
    }
  }
}

void RotationsBefore::findIn(std::span<const StoredFrame> frames, Found& found) const {
  constexpr std::size_t kFramesAtOnce = 64;
  std::vector<LanePose> skins(joints_.size());
  LanePoser::Run moments;
  for (std::size_t first = 0; first < frames.size(); first += kFramesAtOnce) {
    poser_.prepare(frames.subspan(first, std::min(kFramesAtOnce, frames.size() - first)), moments);
    for (std::size_t batch = 0; batch < moments.batchCount(); ++batch) {
      if (std::ranges::all_of(found, &std::optional<glm::quat>::has_value)) return;
      poser_.pose(moments, batch, skins);
      for (std::size_t joint = 0; joint < joints_.size(); ++joint) {
        for (std::size_t lane = 0; lane < kLaneCount && !found[joint]; ++lane) {
          const JointPose pose =
              form_ == PoseForm::Pivot
                  ? pivotPose(joints_[joint], skins[joint], lane)
                  : trsPose(joints_[joint], poser_.jointOf(moments, joint), lane);
          if (hasSize(pose) && isFinite(pose)) found[joint] = pose.rotation;
        }
      }
    }
  }
}

std::size_t brokenJoint(std::span<const LanePose> poses) {
  for (std::size_t joint = 0; joint < poses.size(); ++joint) {
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      if (!isFinite(matrixOf(poses[joint].rows, lane))) return joint;
    }
  }
  return 0;
}

}  // namespace ck
