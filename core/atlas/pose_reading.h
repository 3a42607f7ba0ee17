#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck {

// The poses of all joints at `frame` of a clip (0 is the clip's first frame).
std::vector<JointPose> storedFrame(const Atlas& atlas, int clip, int frame);

// The poses of all joints between two frames, in the float arithmetic of the shared shader text.
// Direct: position and scale lerp, rotations nlerp without a sign test (the bake makes signs
// agree). Palette (TECHNIQUES 1.6): every joint relative to its parent, which is interpolation in
// the parent's space; a parent of no size has no space, its children are read by themselves. The
// same for all forms of a pose, but that whole matrices, which shrink on the way, keep their
// lengths and angles in the palette reading (shaders/shared/matrix_pose.glsl).
std::vector<JointPose> posesBetween(std::span<const AtlasJoint> joints,
                                    std::span<const JointPose> frame0,
                                    std::span<const JointPose> frame1, float alpha,
                                    Reading reading);

// The poses of all joints at `unit` in [0, 1] of a clip: between frames as `reading` says, or at
// the nearest frame with interpolate = false.
std::vector<JointPose> posesAt(const Atlas& atlas, int clip, double unit, Reading reading,
                               bool interpolate);

// The poses of all joints `blend` of the way from one clip's to another's, each joint relative to
// its parent, so that limbs keep their lengths (TECHNIQUES 3.6). Clips have no signs of quaternions
// in common: the shorter arc is taken.
std::vector<JointPose> posesBlended(std::span<const AtlasJoint> joints,
                                    std::span<const JointPose> first,
                                    std::span<const JointPose> second, float blend);

// Skin matrices of poses in the form of the atlas.
std::vector<glm::dmat4> skinMatricesOf(const Atlas& atlas, std::span<const JointPose> poses);

// The matrix of v' = scale * rotation * (v - pivot) + position, in double.
glm::dmat4 poseMatrix(const JointPose& pose, const glm::vec3& pivot);

// The skin matrix of a pose in any form, in double.
glm::dmat4 skinMatrixOf(PoseForm form, const JointPose& pose, const AtlasJoint& joint);

}  // namespace ck
