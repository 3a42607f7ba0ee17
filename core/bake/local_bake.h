#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/joint_poses.h"

namespace ck {

// The poses that local encodings (isLocal()) store: each joint as its parent sees it
// (docs/techniques.md 3.2).

// Turns poses in pivot form into what the parents see. Where a parent has no size, the position is
// that of the frame before. `frameCounts` has the stored frames of every clip.
void seeFromParents(std::span<const AtlasJoint> joints, std::span<const int> frameCounts,
                    JointPoses& poses);

// The ranges of what the parents see, as Atlas::ranges has them, with a size where a joint gets a
// track. A joint that moves against its parent by less than the encoding's rounding moves vertices
// stands still. Fails with InvalidInput, naming joints and what to choose instead, if more than
// half of the joints move, if a scale changes that the texels have no room for, and for
// RangeMode::Atlas. `clipNames` are for that message.
Result<std::vector<TexelRange>> localRanges(const Character& character, TexelCode code,
                                            RangeMode mode, const JointPoses& seen,
                                            std::span<const int> frameCounts,
                                            std::span<const std::string> clipNames,
                                            std::span<const AtlasJoint> joints);

// Replaces each parent-relative pose of a frame by its pose relative to the decoded (rounded)
// parent, so that rounding errors do not add up along a chain. `atlas` needs its joints,
// clips and ranges, no texels; `tracks` are tracksOf(atlas).
void aimFrame(const Atlas& atlas, std::span<const int> tracks, int clip, std::span<JointPose> seen);

// "joint 'a'", "joints 'a', 'b', 'c' and 4 more": the first three of at least one.
std::string jointsInWords(std::span<const AtlasJoint> joints, std::span<const int> which);

}  // namespace ck
