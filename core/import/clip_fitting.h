#pragma once

#include <vector>

#include "core/scene/character.h"

namespace ck {

// Adapts the keys of a clip file to a rig whose joints have the same names.
//
// Lengths: translations are multiplied by the ratio of the two files' units, including scales of
// nodes above the joints (e.g. an armature of 0.01). Space: at joints without a matched ancestor,
// keys are rotated and moved so that the joint has the same place in model space (e.g. with another
// up axis or a rotated armature). All other local keys are unchanged.
//
// Proportions: if more than half of the bones differ in length from the rig's by over 5 %, the clip
// was made for another body. The rig then keeps its own bone lengths: constant translations are
// dropped, and moving translations (mostly of the hips) are scaled by the ratio of all bone
// lengths.
class ClipFitting {
 public:
  // `matches`: for every joint of `from` the joint of `rig`, or -1.
  ClipFitting(const Rig& rig, const Rig& from, const std::vector<int>& matches);

  // The tracks of a matched joint of `from`, adapted to the rig.
  JointTracks fit(const JointTracks& tracks) const;

  double lengthRatio() const { return unitRatio_; }  // ratio of the units; 1 if they are equal
  bool otherProportions() const { return proportions_ > 0; }
  double proportions() const { return otherProportions() ? proportions_ : 1.0; }
  bool turned() const { return turned_; }  // whether top joints were rotated or moved
  // Number of matched joints below the top ones whose rest rotation differs from the rig's by more
  // than 5 degrees.
  int restsTurned() const { return restsTurned_; }

 private:
  struct Fit {
    int joint = -1;
    double length = 1.0;     // factor for translations
    bool moved = false;      // whether `change` is applied
    glm::dmat4 change{1.0};  // for top joints: from the file's frame to the rig's
    glm::dquat turn{1.0, 0.0, 0.0, 0.0};
  };
  void measureProportions(const Rig& rig, const Rig& from, const std::vector<int>& matches);

  std::vector<Fit> fits_;  // one per joint of `from`
  double unitRatio_ = 1.0;
  double proportions_ = 0.0;
  bool turned_ = false;
  int restsTurned_ = 0;
};

}  // namespace ck
