#pragma once

#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/joint_poses.h"

namespace ck {

// The ranges that a bake stores for these poses: sets of rangesPerJoint entries, as many as
// Atlas::ranges has in that mode. `frameCounts` has the stored frames of every clip.
std::vector<TexelRange> rangesOf(TexelCode code, RangeMode mode, const JointPoses& poses,
                                 std::span<const int> frameCounts,
                                 std::span<const AtlasJoint> joints);

}  // namespace ck
