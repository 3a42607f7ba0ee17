#include "core/atlas/pose_reading.h"

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
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    poses.push_back(storedPose(atlas, clip, atlasFrame, static_cast<int>(joint)));
  }
  return poses;
}

std::vector<JointPose> posesBetween(std::span<const AtlasJoint> joints,
                                    std::span<const JointPose> frame0,
                                    std::span<const JointPose> frame1, float alpha,
                                    Reading reading) {
  CK_ASSERT(frame0.size() == joints.size() && frame1.size() == joints.size());
  std::vector<JointPose> poses;
  poses.reserve(frame0.size());
  for (std::size_t joint = 0; joint < frame0.size(); ++joint) {
    const gpu::CkPose a = toGpu(frame0[joint]);
    const gpu::CkPose b = toGpu(frame1[joint]);
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
  const int frameCount = atlas.clips[static_cast<std::size_t>(clip)].frameCount;
  if (!interpolate) return storedFrame(atlas, clip, nearestFrame(unit, frameCount));
  const FramePair pair = framesAt(unit, frameCount);
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
  glm::dmat4 matrix = trsMatrix(pose);
  matrix[3] -= glm::dvec4(glm::dmat3(matrix) * glm::dvec3(pivot), 0.0);
  return matrix;
}

glm::dmat4 skinMatrixOf(PoseForm form, const JointPose& pose, const AtlasJoint& joint) {
  if (form == PoseForm::Pivot) return poseMatrix(pose, joint.pivot);
  return trsMatrix(pose) * glm::dmat4(joint.inverseBind);
}

}  // namespace ck
