#include "core/bake/pose_ranges.h"

#include <utility>

#include "core/atlas/pose_codec.h"

namespace ck {
namespace {

JointPose restOf(const AtlasJoint& joint) {
  return {.position = joint.pivot};
}

// Makes the ranges of `all` hold those of `more`.
void unite(std::vector<TexelRange>& all, const std::vector<TexelRange>& more) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const glm::vec4 high = glm::max(all[i].low + all[i].size, more[i].low + more[i].size);
    all[i].low = glm::min(all[i].low, more[i].low);
    all[i].size = high - all[i].low;
  }
}

// One set for poses of all joints.
std::vector<TexelRange> rangesOfAll(TexelCode code, const JointPoses& poses,
                                    std::span<const AtlasJoint> joints) {
  if (!codecOf(encodingInfo(code.encoding)).readsRest) return rangesOf(code, poses.poses);
  std::vector<TexelRange> ranges;
  for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
    std::vector<TexelRange> own =
        rangesOf(code, poses.of(joint, 0, poses.frameCount), restOf(joints[joint]));
    if (joint == 0) {
      ranges = std::move(own);
    } else {
      unite(ranges, own);
    }
  }
  return ranges;
}

}  // namespace

std::vector<TexelRange> rangesOf(TexelCode code, RangeMode mode, const JointPoses& poses,
                                 std::span<const int> frameCounts,
                                 std::span<const AtlasJoint> joints) {
  if (mode == RangeMode::Atlas) return rangesOfAll(code, poses, joints);
  std::vector<TexelRange> ranges;
  const auto add = [&](std::size_t joint, std::size_t firstFrame, std::size_t count) {
    const std::vector<TexelRange> set =
        rangesOf(code, poses.of(joint, firstFrame, count), restOf(joints[joint]));
    ranges.insert(ranges.end(), set.begin(), set.end());
  };
  if (mode == RangeMode::Joint) {
    for (std::size_t joint = 0; joint < poses.jointCount; ++joint) add(joint, 0, poses.frameCount);
    return ranges;
  }
  for (std::size_t clip = 0; clip < frameCounts.size(); ++clip) {
    const auto count = static_cast<std::size_t>(frameCounts[clip]);
    for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
      add(joint, poses.firstFrames[clip], count);
    }
  }
  return ranges;
}

}  // namespace ck
