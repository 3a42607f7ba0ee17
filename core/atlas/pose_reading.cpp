#include "core/atlas/pose_reading.h"

#include "core/base/assert.h"

namespace ck {
namespace {

glm::vec4 toVec4(const glm::quat& q) {
  return glm::vec4(q.x, q.y, q.z, q.w);
}
glm::quat toQuat(const glm::vec4& q) {
  return glm::quat(q.w, q.x, q.y, q.z);
}

PivotPose directPose(const PivotPose& a, const PivotPose& b, float alpha) {
  return {.position = a.position + (b.position - a.position) * alpha,
          .scale = a.scale + (b.scale - a.scale) * alpha,
          .rotation = toQuat(gpu::ck_quatNlerp(toVec4(a.rotation), toVec4(b.rotation), alpha))};
}

// A joint as its parent sees it: rotation and place in the parent's space.
struct Relative {
  glm::vec4 rotation;
  glm::vec3 place;
};

Relative relativeTo(const PivotPose& parent, const PivotPose& pose) {
  const glm::vec4 back = gpu::ck_quatConj(toVec4(parent.rotation));
  return {gpu::ck_quatMul(back, toVec4(pose.rotation)),
          gpu::ck_rotate(back, pose.position - parent.position) / parent.scale};
}

PivotPose relativePose(const Relative& a, const Relative& b, const PivotPose& parent, float scale,
                       float alpha) {
  const glm::vec4 turn = toVec4(parent.rotation);
  const glm::vec4 between = gpu::ck_quatNlerpShort(a.rotation, b.rotation, alpha);
  const glm::vec3 place = a.place + (b.place - a.place) * alpha;
  return {.position = parent.position + parent.scale * gpu::ck_rotate(turn, place),
          .scale = scale,
          .rotation = toQuat(gpu::normalize(gpu::ck_quatMul(turn, between)))};
}

}  // namespace

std::vector<PivotPose> storedFrame(const Atlas& atlas, int clip, int frame) {
  const int atlasFrame = atlas.clips[static_cast<std::size_t>(clip)].firstFrame + frame;
  std::vector<PivotPose> poses;
  poses.reserve(atlas.joints.size());
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    poses.push_back(storedPose(atlas, clip, atlasFrame, static_cast<int>(joint)));
  }
  return poses;
}

std::vector<PivotPose> posesBetween(std::span<const AtlasJoint> joints,
                                    std::span<const PivotPose> frame0,
                                    std::span<const PivotPose> frame1, float alpha,
                                    Reading reading) {
  CK_ASSERT(frame0.size() == joints.size() && frame1.size() == joints.size());
  constexpr float kNoSize = 1e-6f;
  std::vector<PivotPose> poses;
  poses.reserve(frame0.size());
  for (std::size_t joint = 0; joint < frame0.size(); ++joint) {
    const PivotPose direct = directPose(frame0[joint], frame1[joint], alpha);
    const int parent = joints[joint].parent;
    if (reading == Reading::Direct || parent < 0) {
      poses.push_back(direct);
      continue;
    }
    const auto p = static_cast<std::size_t>(parent);
    if (std::abs(frame0[p].scale) < kNoSize || std::abs(frame1[p].scale) < kNoSize) {
      poses.push_back(direct);
      continue;
    }
    poses.push_back(relativePose(relativeTo(frame0[p], frame0[joint]),
                                 relativeTo(frame1[p], frame1[joint]), poses[p], direct.scale,
                                 alpha));
  }
  return poses;
}

glm::dmat4 poseMatrix(const PivotPose& pose, const glm::vec3& pivot) {
  const glm::dquat q(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z);
  const glm::dmat3 linear = glm::mat3_cast(q) * static_cast<double>(pose.scale);
  glm::dmat4 matrix(linear);
  matrix[3] = glm::dvec4(glm::dvec3(pose.position) - linear * glm::dvec3(pivot), 1.0);
  return matrix;
}

}  // namespace ck
