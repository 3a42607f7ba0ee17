#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake_window.h"
#include "core/bake/pose/stored_frame.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// The poses of all windows, in one pose form. Frames are numbered consecutively over all windows.
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

// Fails with InvalidInput if there are no joints to bake.
Result<void> checkSkin(const Character& character);

struct JointConstants;
// One per skin joint.
std::vector<JointConstants> constantsOf(const Rig& rig);

class LanePoser;
// The poser of a window: that of its planning, or a new one. `threads`: see LanePoser.
std::shared_ptr<const LanePoser> poserOf(const Rig& rig, const BakeWindow& window, int threads);

// The atlas joints of a rig, one per skin joint.
std::vector<AtlasJoint> atlasJointsOf(const Rig& rig);

// Measurements made while the poses are evaluated.
struct PoseFacts {
  std::vector<Bounds> bounds;   // one per window, over all skinned vertices
  double scaleDroppedMm = 0.0;  // largest displacement caused by the pose form, at the shell
  int scaleDroppedJoint = -1;   // skin joint of that displacement, -1: none
  int scaleDroppedWindow = -1;
  int limitedVertices = 0;  // number of vertices with more influences than the settings keep
  int mostInfluences = 0;
  double limitedMm = 0.0;  // largest displacement of a vertex caused by dropping influences
};

struct EvaluatedPoses {
  JointPoses poses;
  PoseFacts facts;
};

// The request for poses.
struct PoseWish {
  PoseForm form = PoseForm::Pivot;
  int influences = 4;
};

// The failure of a bake whose poses are not finite.
tl::unexpected<Error> brokenPose(const Character& character, const BakeWindow& window,
                                 std::size_t skinJoint);

// The stored frames of a window as they are posed: a loop that closes ends on its first frame.
std::vector<StoredFrame> posedFrames(const BakeWindow& window);

// Evaluates every frame of every window in lanes. The sign of a rotation is continuous within a
// window. The last frame of a loop equals its first, except for signs and for the rotation of a
// joint that is hidden there. A joint of scale 0 keeps its previous rotation (PoseMender). Fails
// with InvalidInput if a pose is not finite, and with Cancelled.
Result<EvaluatedPoses> evaluatePoses(const Character& character,
                                     std::span<const BakeWindow> windows, PoseWish wish,
                                     JobContext job);

}  // namespace ck
