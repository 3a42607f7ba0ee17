#pragma once

#include <glm/glm.hpp>
#include <mutex>
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

// The rotations that the joints of a window have where its runs begin, of so many frames each, for
// joints that are hidden there: that of the last frame before in which they have a size, else of
// the first frame in which they have one. Found when they are first requested, by any thread.
class RotationsBefore {
 public:
  // `frames` are those of the window. All must outlive this.
  RotationsBefore(const LanePoser& poser, PoseForm form, std::span<const JointConstants> joints,
                  std::span<const StoredFrame> frames, std::size_t framesPerRun)
      : poser_(poser), form_(form), joints_(joints), frames_(frames), framesPerRun_(framesPerRun) {}

  glm::quat of(std::size_t joint, std::size_t run);

 private:
  using Found = std::vector<std::optional<glm::quat>>;  // per joint

  void find();
  // Fills in what is missing, from the first of the frames on.
  void findIn(std::span<const StoredFrame> frames, Found& found) const;

  const LanePoser& poser_;
  PoseForm form_;
  std::span<const JointConstants> joints_;
  std::span<const StoredFrame> frames_;
  std::size_t framesPerRun_;
  std::once_flag once_;
  std::vector<Found> before_;  // per run; the first has what comes first of all
};

// Brings the poses of a run into their form, one by one and in double, that lanes leave to it: of a
// joint that scale 0 hides, or that is flat. They are rare, and each is a case of its own. A pose
// of scale 0 gets the rotation of the frame before (RotationsBefore).
class PoseMender {
 public:
  // All must outlive the mender.
  PoseMender(std::span<const JointConstants> joints, RotationsBefore& before, std::size_t run)
      : joints_(joints), before_(before), run_(run) {}

  // Replaces the lanes of `pivots` whose scale is not a number (pivotsOf()), and adds what they
  // lose to `lostSquares`. `trails` are those of the batch before. False if a pose is not finite.
  bool mend(std::span<const LanePose> poses, std::span<const PoseTrail> trails,
            std::span<LanePivot> pivots, std::span<LaneMost> lostSquares);

  // The same in trs form, of the lanes of one joint whose bit is set.
  bool mend(std::size_t joint, const LaneRows& global, unsigned lanes, const PoseTrail& trail,
            LaneValue (&values)[kMostValues]);

 private:
  std::span<const JointConstants> joints_;
  RotationsBefore& before_;
  std::size_t run_;
};

// The first skin joint with a pose that is not finite; 0 if only rounding to float makes it so.
std::size_t brokenJoint(std::span<const LanePose> poses);

}  // namespace ck
