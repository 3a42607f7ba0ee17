#include "core/atlas/local_poses.h"

#include <algorithm>

#include "core/atlas/atlas_layout.h"
#include "core/atlas/pose_reading.h"
#include "core/base/assert.h"

namespace ck {

std::vector<int> tracksOf(std::span<const TexelRange> ranges, std::size_t jointCount) {
  std::vector<int> tracks(jointCount, -1);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (glm::vec3(ranges[i].size) != glm::vec3(0.0f)) tracks[i % jointCount] = 0;
  }
  int next = 0;
  for (int& track : tracks) {
    if (track >= 0) track = next++;
  }
  return tracks;
}

std::vector<int> tracksOf(const Atlas& atlas) {
  if (!isLocal(encodingInfo(atlas.recipe))) return std::vector<int>(atlas.joints.size(), -1);
  return tracksOf(atlas.ranges, atlas.joints.size());
}

int trackCount(std::span<const int> tracks) {
  return static_cast<int>(tracks.size() - static_cast<std::size_t>(std::ranges::count(tracks, -1)));
}

int trackColumn(const Atlas& atlas, int track) {
  return static_cast<int>(atlas.joints.size()) + track * encodingInfo(atlas.recipe).trackTexels;
}

std::size_t columnCount(const Atlas& atlas) {
  return static_cast<std::size_t>(atlas.shape.block.y / atlas.shape.block.x);
}

JointPose storedLocalPose(const Atlas& atlas, std::span<const int> tracks, int clip, int frame,
                          int joint) {
  const TexelCode code = codeOf(atlas);
  const auto bytesAt = [&](int column, std::size_t size) {
    const std::size_t offset = texelOffset(atlas, frame, column);
    CK_ASSERT(offset + size <= atlas.texels.size());
    return std::span(atlas.texels).subspan(offset, size);
  };
  const auto ranges = rangesFor(atlas, clip, joint);
  JointPose pose = decodePose(code, bytesAt(joint, bytesPerJoint(code)), ranges, {});
  const int track = tracks[static_cast<std::size_t>(joint)];
  if (track < 0) return pose;
  pose.position =
      decodeTrack(code, bytesAt(trackColumn(atlas, track), bytesPerTrack(code)), ranges.front());
  return pose;
}

void walkFromRoots(std::span<const AtlasJoint> joints, std::span<JointPose> poses) {
  CK_ASSERT(joints.size() == poses.size());
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    const int parent = joints[joint].parent;
    if (parent < 0) continue;
    poses[joint] = poseUnder(poses[static_cast<std::size_t>(parent)], poses[joint]);
  }
}

}  // namespace ck
