#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/anim/live_clip.h"
#include "core/base/job.h"

namespace ck {

// Where in a clip something is.
struct LiveMoment {
  int clip = -1;         // into the clips of the poser; -1: every joint at rest
  float seconds = 0.0f;  // after the clip's start; outside the keys their ends hold
  // How far from there to the clip's first pose, in [0, 1]: the closing step of a loop whose file
  // stops one step before its start (Seam::Exclusive).
  float closing = 0.0f;
};

// What one actor shows: a clip, and a second one over it.
struct LivePose {
  LiveMoment first;
  LiveMoment second;
  float blend = 0.0f;  // of the second over the first, in [0, 1]
  int mask = -1;       // which joints the second moves, into the poser's masks; -1: all
};

// Evaluates the poses of many actors at once, eight side by side, in float: keys are found and
// read, rotations go along the arc (nlerp with the correction of Zeux, "Approximating slerp", 2015:
// below 0.001 rad off for key steps of half a turn, below 1e-5 for those of 30 degrees), two clips
// fade in the joints' own spaces by normalised lerp, and the hierarchy is walked. The oracle of the
// result is sampleClip() and globalMatrices().
class LivePoser {
 public:
  // `clips` are copied into their live form.
  LivePoser(const Rig& rig, std::span<const Clip> clips);

  // The joints whose matrices are given out: those that a skin joint hangs on, ascending.
  std::span<const int> posedJoints() const { return posed_; }

  // Masks: a factor for the blend of every joint each (one per Rig::joints, in [0, 1]; see
  // maskWeights()).
  void setMasks(std::vector<std::vector<float>> masks);

  // Writes three rows of the global matrix (joint space -> model space) of every posed joint:
  // actor-major, `rows` has poses x posedJoints x 3 entries.
  void pose(std::span<const LivePose> poses, std::span<glm::vec4> rows, JobContext job = {}) const;

 private:
  struct Node {
    int parent = -1;
    bool plain = true;        // no preTransform
    float before[3][4] = {};  // its rows
    int output = -1;          // into posed_
  };

  std::vector<Node> nodes_;
  std::vector<LiveClip> clips_;
  LiveClip rest_;
  std::vector<int> posed_;
  std::vector<std::vector<float>> masks_;

  friend class LiveBatch;
};

}  // namespace ck
