#include "core/bake/pose_ranges.h"

namespace ck {

std::vector<TexelRange> rangesOf(TexelCode code, RangeMode mode, const JointPoses& poses,
                                 std::span<const int> frameCounts) {
  std::vector<TexelRange> ranges;
  const auto add = [&](std::span<const JointPose> some) {
    const std::vector<TexelRange> set = rangesOf(code, some);
    ranges.insert(ranges.end(), set.begin(), set.end());
  };
  if (mode == RangeMode::Atlas) {
    add(poses.poses);
  } else if (mode == RangeMode::Joint) {
    for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
      add(poses.of(joint, 0, poses.frameCount));
    }
  } else {
    for (std::size_t clip = 0; clip < frameCounts.size(); ++clip) {
      const auto count = static_cast<std::size_t>(frameCounts[clip]);
      for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
        add(poses.of(joint, poses.firstFrames[clip], count));
      }
    }
  }
  return ranges;
}

}  // namespace ck
