#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck {

// The poses of all joints at `frame` of a clip (0 is the clip's first frame), in the encoding's
// form.
std::vector<JointPose> storedFrame(const Atlas& atlas, int clip, int frame);

// The pose, in pivot or trs form, of what a parent sees so (docs/techniques.md 2.3).
JointPose poseUnder(const JointPose& parent, const JointPose& seen);

// The poses of all joints between two frames, in the float arithmetic of the shared shader code.
// Direct: each joint by itself; positions and scales lerp, rotations nlerp along the shorter arc
// (the bake aligns signs, but R32 has no room for them). Palette: each joint relative to its
// parent, which is interpolation in local space (docs/techniques.md 2.3). Children of a parent with
// scale 0 are read directly. Poses in matrix form keep their lengths and angles in the palette
// reading, while lerp would shrink them (docs/techniques.md 2.4).
std::vector<JointPose> posesBetween(std::span<const AtlasJoint> joints,
                                    std::span<const JointPose> frame0,
                                    std::span<const JointPose> frame1, float alpha,
                                    Reading reading);

// The poses of all joints at `unit` in [0, 1] of a clip: between frames according to `reading`, or
// at the nearest frame if `interpolate` is false.
std::vector<JointPose> posesAt(const Atlas& atlas, int clip, double unit, Reading reading,
                               bool interpolate);

// Blends the poses of two clips, `blend` in [0, 1], each joint relative to its parent. Limbs keep
// their lengths (docs/techniques.md 4.2). Rotations take the shorter arc, because signs are aligned
// within a clip only.
std::vector<JointPose> posesBlended(std::span<const AtlasJoint> joints,
                                    std::span<const JointPose> first,
                                    std::span<const JointPose> second, float blend);

// Skin matrices of poses in the atlas's form.
std::vector<glm::dmat4> skinMatricesOf(const Atlas& atlas, std::span<const JointPose> poses);

// The matrix of v' = scale * rotation * (v - pivot) + position, in double.
glm::dmat4 poseMatrix(const JointPose& pose, const glm::vec3& pivot);

// The skin matrix of a pose in any form, in double.
glm::dmat4 skinMatrixOf(PoseForm form, const JointPose& pose, const AtlasJoint& joint);

}  // namespace ck
