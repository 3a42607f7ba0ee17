#pragma once

#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/joint_poses.h"
#include "core/scene/character.h"

namespace ck {

// A channel that moves no vertex by that much, in millimetres, from where the middle of its range
// puts it is stored as that constant, which differs from the source only by what the source itself
// is rounded by; 16 bits would hold nothing but noise.
inline constexpr double kNarrowestRangeMm = 0.001;
// The same as a share of the character's size: larger ones are rounded more.
inline constexpr double kNarrowestRangeShare = 1e-6;

// The ranges of an atlas that is to hold `poses` (Atlas::ranges): the smallest ones, but constants
// where it is narrow in this sense. Rotations of the trs form keep theirs. The atlas must have its
// encoding, components, range mode, joints and clips.
std::vector<TexelRange> texelRanges(const Atlas& atlas, const JointPoses& poses,
                                    const Character& character);

}  // namespace ck
