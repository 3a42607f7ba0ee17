#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/anim/live_clip.h"
#include "core/base/job.h"

namespace ck {

// A clip and a time in it.
struct LiveMoment {
  int clip = -1;         // into the poser's clips; -1: every joint at rest
  double seconds = 0.0;  // after the clip's start; outside the keys the end values hold
  // Interpolation from this pose to the clip's first pose, in [0, 1]. Used in the closing step of a
  // loop whose file ends one step before its start (Seam::Exclusive). Step tracks jump at 1.
  float closing = 0.0f;
};

// The pose of one actor: a clip, and a second clip blended over it.
struct LivePose {
  LiveMoment first;
  LiveMoment second;
  float blend = 0.0f;  // of the second over the first, in [0, 1]
  int mask = -1;  // index into the poser's masks: the joints that the second clip moves; -1: all
};

// Evaluates the poses of many actors, eight at a time, in float. Times are double until they are a
// fraction of a key step, so that long clips move as evenly as short ones. It samples keys, blends
// two clips in each joint's local space by normalised lerp, and walks the hierarchy. Rotations are
// interpolated along the arc (Arseny Kapoulkine, "Approximating slerp", 2015): within 0.001 rad for
// key steps of 180 degrees, within 1e-5 rad for 30 degrees. sampleClip() and globalMatrices() are
// the reference.
class LivePoser {
 public:
  // Copies `clips` into their LiveClip form.
  LivePoser(const Rig& rig, std::span<const Clip> clips);

  // The joints whose matrices pose() writes: those with a skin joint, ascending.
  std::span<const int> posedJoints() const { return posed_; }

  // Sets the masks. Each mask has one factor in [0, 1] per joint of the rig, which multiplies the
  // blend (see maskWeights()).
  void setMasks(std::vector<std::vector<float>> masks);

  // Writes three rows of the global matrix (joint space -> model space) of every posed joint.
  // `rows` has poses x posedJoints x 3 entries, actor-major.
  void pose(std::span<const LivePose> poses, std::span<glm::vec4> rows, JobContext job = {}) const;

 private:
  struct Node {
    int parent = -1;
    bool plain = true;        // no preTransform
    float before[3][4] = {};  // the rows of the preTransform
    int output = -1;          // into posed_
  };

  const LiveClip& clipOf(int clip) const {
    return clip < 0 ? rest_ : clips_[static_cast<std::size_t>(clip)];
  }

  std::vector<Node> nodes_;
  std::vector<LiveClip> clips_;
  LiveClip rest_;
  std::vector<int> posed_;
  std::vector<std::vector<float>> masks_;

  friend class LiveBatch;
};

}  // namespace ck
