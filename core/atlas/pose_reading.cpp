#include "core/atlas/pose_reading.h"

#include "core/atlas/local_poses.h"
#include "core/base/assert.h"

namespace ck {
namespace {

gpu::CkPose toGpu(const JointPose& pose) {
  const glm::quat& q = pose.rotation;
  gpu::CkPose result;
  result.rotation = glm::vec4(q.x, q.y, q.z, q.w);
  result.position = pose.position;
  result.scale = pose.scale;
  return result;
}

JointPose fromGpu(const gpu::CkPose& pose) {
  const glm::vec4& q = pose.rotation;
  return {
      .position = pose.position, .scale = pose.scale, .rotation = glm::quat(q.w, q.x, q.y, q.z)};
}

gpu::CkMatrix toRows(const JointPose& pose) {
  const glm::mat3 rows = glm::transpose(*pose.linear);
  gpu::CkMatrix m;
  m.x = glm::vec4(rows[0], pose.position.x);
  m.y = glm::vec4(rows[1], pose.position.y);
  m.z = glm::vec4(rows[2], pose.position.z);
  return m;
}

JointPose fromRows(const gpu::CkMatrix& m) {
  JointPose pose;
  pose.position = glm::vec3(m.x.w, m.y.w, m.z.w);
  pose.linear = glm::transpose(glm::mat3(glm::vec3(m.x), glm::vec3(m.y), glm::vec3(m.z)));
  return pose;
}

// One joint of poses in matrix form. `poses` holds the results for the joints before it.
JointPose matrixBetween(std::size_t joint, int parent, std::span<const JointPose> frame0,
                        std::span<const JointPose> frame1, float alpha,
                        std::span<const JointPose> poses) {
  const gpu::CkMatrix a = toRows(frame0[joint]);
  const gpu::CkMatrix b = toRows(frame1[joint]);
  if (parent < 0) return fromRows(gpu::ck_matrixKept(a, b, alpha));
  const auto p = static_cast<std::size_t>(parent);
  const gpu::CkMatrix parentA = toRows(frame0[p]);
  const gpu::CkMatrix parentB = toRows(frame1[p]);
  if (gpu::ck_matrixHasSpace(parentA) == 0 || gpu::ck_matrixHasSpace(parentB) == 0) {
    return fromRows(gpu::ck_matrixKept(a, b, alpha));
  }
  const gpu::CkMatrix link = gpu::ck_matrixKept(gpu::ck_matrixSeenFrom(parentA, a),
                                                gpu::ck_matrixSeenFrom(parentB, b), alpha);
  return fromRows(gpu::ck_matrixMul(toRows(poses[p]), link));
}

// The matrix of v' = linear * (v - pivot) + position.
glm::dmat4 aboutPivot(glm::dmat4 matrix, const glm::vec3& pivot) {
  matrix[3] -= glm::dvec4(glm::dmat3(matrix) * glm::dvec3(pivot), 0.0);
  return matrix;
}

// translate(position) * rotate(rotation) * scale(scale)
glm::dmat4 trsMatrix(const JointPose& pose) {
  const glm::quat& q = pose.rotation;
  glm::dmat3 linear = glm::mat3_cast(glm::dquat(q.w, q.x, q.y, q.z));
  for (int axis = 0; axis < 3; ++axis) linear[axis] *= static_cast<double>(pose.scale[axis]);
  glm::dmat4 matrix(linear);
  matrix[3] = glm::dvec4(glm::dvec3(pose.position), 1.0);
  return matrix;
}

}  // namespace

std::vector<JointPose> storedFrame(const Atlas& atlas, int clip, int frame) {
  const int atlasFrame = atlas.clips[static_cast<std::size_t>(clip)].firstFrame + frame;
  std::vector<JointPose> poses;
  poses.reserve(atlas.joints.size());
  if (isLocal(encodingInfo(atlas.recipe))) {
    const std::vector<int> tracks = tracksOf(atlas);
    for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
      poses.push_back(storedLocalPose(atlas, tracks, clip, atlasFrame, static_cast<int>(joint)));
    }
    walkFromRoots(atlas.joints, poses);
    return poses;
  }
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    poses.push_back(storedPose(atlas, clip, atlasFrame, static_cast<int>(joint)));
  }
  return poses;
}

JointPose poseUnder(const JointPose& parent, const JointPose& seen) {
  return fromGpu(gpu::ck_poseRelative(toGpu(parent), toGpu(seen), toGpu(seen), 0.0f));
}

std::vector<JointPose> posesBetween(std::span<const AtlasJoint> joints,
                                    std::span<const JointPose> frame0,
                                    std::span<const JointPose> frame1, float alpha,
                                    Reading reading) {
  CK_ASSERT(frame0.size() == joints.size() && frame1.size() == joints.size());
  std::vector<JointPose> poses;
  poses.reserve(frame0.size());
  for (std::size_t joint = 0; joint < frame0.size(); ++joint) {
    if (frame0[joint].linear) {
      poses.push_back(
          reading == Reading::Direct
              ? fromRows(gpu::ck_matrixBetween(toRows(frame0[joint]), toRows(frame1[joint]), alpha))
              : matrixBetween(joint, joints[joint].parent, frame0, frame1, alpha, poses));
      continue;
    }
    const gpu::CkPose a = toGpu(frame0[joint]);
    gpu::CkPose b = toGpu(frame1[joint]);
    if (glm::dot(a.rotation, b.rotation) < 0.0f) b.rotation = -b.rotation;
    const int parent = joints[joint].parent;
    if (reading == Reading::Direct || parent < 0) {
      poses.push_back(fromGpu(gpu::ck_poseBetween(a, b, alpha)));
      continue;
    }
    const auto p = static_cast<std::size_t>(parent);
    const gpu::CkPose parentA = toGpu(frame0[p]);
    const gpu::CkPose parentB = toGpu(frame1[p]);
    if (gpu::ck_poseHasSpace(parentA) == 0 || gpu::ck_poseHasSpace(parentB) == 0) {
      poses.push_back(fromGpu(gpu::ck_poseBetween(a, b, alpha)));
      continue;
    }
    poses.push_back(fromGpu(gpu::ck_poseRelative(toGpu(poses[p]), gpu::ck_poseSeenFrom(parentA, a),
                                                 gpu::ck_poseSeenFrom(parentB, b), alpha)));
  }
  return poses;
}

std::vector<JointPose> posesAt(const Atlas& atlas, int clip, double unit, Reading reading,
                               bool interpolate) {
  const AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
  if (!interpolate) return storedFrame(atlas, clip, nearestFrame(baked, unit));
  const FramePair pair = framesAt(baked, unit);
  return posesBetween(atlas.joints, storedFrame(atlas, clip, pair.frame0),
                      storedFrame(atlas, clip, pair.frame1), static_cast<float>(pair.alpha),
                      reading);
}

std::vector<JointPose> posesBlended(std::span<const AtlasJoint> joints,
                                    std::span<const JointPose> first,
                                    std::span<const JointPose> second, float blend) {
  std::vector<JointPose> agreeing(second.begin(), second.end());
  for (std::size_t joint = 0; joint < agreeing.size(); ++joint) {
    if (glm::dot(first[joint].rotation, second[joint].rotation) < 0.0f) {
      agreeing[joint].rotation = -second[joint].rotation;
    }
  }
  return posesBetween(joints, first, agreeing, blend, Reading::Palette);
}

std::vector<glm::dmat4> skinMatricesOf(const Atlas& atlas, std::span<const JointPose> poses) {
  std::vector<glm::dmat4> matrices;
  matrices.reserve(poses.size());
  for (std::size_t joint = 0; joint < poses.size(); ++joint) {
    matrices.push_back(skinMatrixOf(formOf(atlas), poses[joint], atlas.joints[joint]));
  }
  return matrices;
}

glm::dmat4 poseMatrix(const JointPose& pose, const glm::vec3& pivot) {
  return aboutPivot(trsMatrix(pose), pivot);
}

glm::dmat4 skinMatrixOf(PoseForm form, const JointPose& pose, const AtlasJoint& joint) {
  if (form == PoseForm::Pivot) return poseMatrix(pose, joint.pivot);
  if (form == PoseForm::Trs) return trsMatrix(pose) * glm::dmat4(joint.inverseBind);
  glm::dmat4 matrix(glm::dmat3(pose.linear.value_or(glm::mat3(1.0f))));
  matrix[3] = glm::dvec4(glm::dvec3(pose.position), 1.0);
  return aboutPivot(matrix, joint.pivot);
}

}  // namespace ck
