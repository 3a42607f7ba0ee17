#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake_window.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// The poses of all windows in one form. Frames are numbered over all windows without gaps.
struct JointPoses {
  std::size_t jointCount = 0;
  std::size_t frameCount = 0;
  std::vector<std::size_t> firstFrames;  // one per window
  std::vector<JointPose> poses;          // joint-major: frameCount poses per joint

  std::span<JointPose> of(std::size_t joint, std::size_t firstFrame, std::size_t count) {
    return std::span(poses).subspan(joint * frameCount + firstFrame, count);
  }
  std::span<const JointPose> of(std::size_t joint, std::size_t firstFrame,
                                std::size_t count) const {
    return std::span(poses).subspan(joint * frameCount + firstFrame, count);
  }
};

// A skin matrix in pivot form: A = s R as near as a uniform scale can be, p = S b (TECHNIQUES 1.6,
// 1.7). A matrix of no size gives scale 0 and no rotation.
JointPose pivotPoseOf(const glm::dmat4& skinMatrix, const glm::dvec3& pivot);

// A skin matrix in matrix form: as it is, with nothing lost, but said about the pivot.
JointPose matrixPoseOf(const glm::dmat4& skinMatrix, const glm::dvec3& pivot);

// How long the joint's axes were at bind time, in model space, along x, y and z; all three negative
// where it was mirrored; 1 where an axis had no length.
glm::dvec3 bindScaleOf(const SkinJoint& skinJoint);

// The place of a joint in trs form, its scale taken relative to that of the bind pose (see
// AtlasJoint::inverseBind); shear is left out. A matrix of no size gives scale 0 and no rotation.
JointPose trsPoseOf(const glm::dmat4& global, const glm::dvec3& bindScale);

// The joints of an atlas of this rig, one per skin joint.
std::vector<AtlasJoint> atlasJointsOf(const Rig& rig);

// What the evaluation saw on the way.
struct PoseFacts {
  std::vector<Bounds> bounds;   // one per window, of all skinned vertices
  double scaleDroppedMm = 0.0;  // the most that a pose lost by its form, at the shell
  int scaleDroppedJoint = -1;   // where: a skin joint
  int scaleDroppedWindow = -1;
  int limitedVertices = 0;  // with more influences than the settings keep
  int mostInfluences = 0;
  double limitedMm = 0.0;  // the most that dropping them moves a vertex
};

struct EvaluatedPoses {
  JointPoses poses;
  PoseFacts facts;
};

// What the poses are made for.
struct PoseWish {
  PoseForm form = PoseForm::Pivot;
  int influences = 4;
};

// Evaluates every frame of every window in double. Rotations keep their sign from frame to frame
// within a window; the last frame of a loop is its first but for that sign; a joint of no size
// keeps the rotation it had before. Fails with InvalidInput where a clip leads to numbers that are
// not finite, and with Cancelled.
Result<EvaluatedPoses> evaluatePoses(const Character& character,
                                     std::span<const BakeWindow> windows, PoseWish wish,
                                     JobContext job);

}  // namespace ck
