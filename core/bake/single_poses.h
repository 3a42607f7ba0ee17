#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/stored_frame.h"
#include "core/bake/pose_lanes.h"

namespace ck {

// A skin matrix in pivot form: A = s R with the nearest uniform scale s, p = S b
// (docs/techniques.md 2.2). A zero matrix gives scale 0 and the identity rotation.
JointPose pivotPoseOf(const glm::dmat4& skinMatrix, const glm::dvec3& pivot);

// Length of the joint's x, y and z axes at bind time, in model space. All three are negative if the
// bind pose is mirrored. An axis of length 0 gives 1.
glm::dvec3 bindScaleOf(const SkinJoint& skinJoint);

// The position of a joint in trs form. The scale is relative to the bind pose (see
// AtlasJoint::inverseBind); shear is dropped. A zero matrix gives scale 0 and the identity
// rotation.
JointPose trsPoseOf(const glm::dmat4& global, const glm::dvec3& bindScale);

// Brings the poses of a run into their form, one by one and in double, that lanes leave to it: of a
// joint that scale 0 hides, or that is flat. They are rare, and each is a case of its own. A pose
// of scale 0 gets the rotation of the frame before. Where a run begins with one, that is looked for
// in the kMostFramesAway frames before the run, and then in as many from its beginning on.
class PoseMender {
 public:
  static constexpr std::size_t kMostFramesAway = 512;

  // `frames` are those of the whole window, `firstFrame` is where the run begins. All must outlive
  // the mender.
  PoseMender(const LanePoser& poser, std::span<const JointConstants> joints,
             std::span<const StoredFrame> frames, std::size_t firstFrame)
      : poser_(poser), joints_(joints), frames_(frames), firstFrame_(firstFrame) {}

  // Replaces the lanes of `pivots` whose scale is not a number (pivotsOf()), and adds what they
  // lose to `lostSquares`. `trails` are those of the batch before. False if a pose is not finite.
  bool mend(std::span<const LanePose> poses, std::span<const PoseTrail> trails,
            std::span<LanePivot> pivots, std::span<LaneMost> lostSquares);

  // The same in trs form, of the lanes of one joint whose bit is set.
  bool mend(std::size_t joint, const LaneRows& global, unsigned lanes, const PoseTrail& trail,
            LaneValue (&values)[kMostValues]);

 private:
  JointPose trsPose(std::size_t joint, const LaneRows& global, std::size_t lane) const;
  JointPose pivotPose(std::size_t joint, const LanePose& pose, std::size_t lane) const;
  // The rotation that a joint has before the run.
  glm::quat rotationBefore(std::size_t joint, PoseForm form);

  const LanePoser& poser_;
  std::span<const JointConstants> joints_;
  std::span<const StoredFrame> frames_;
  std::size_t firstFrame_;
};

// The first skin joint with a pose that is not finite.
std::optional<std::size_t> brokenJoint(std::span<const LanePose> poses);

}  // namespace ck
