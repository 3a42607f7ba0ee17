#pragma once

#include <vector>

#include "core/scene/character.h"

namespace ck {

// How the keys of a clip file are brought onto a rig whose joints have the same names.
//
// Lengths: translations are multiplied by the ratio of the two files' units, including scales of
// nodes above the joints (an armature of 0.01). Space: at joints without a matched ancestor, keys
// are turned and moved so that the joint takes the same place in model space (another up axis, an
// armature that is turned). Everywhere else the local keys stay as they are.
//
// Proportions: where more than half of the bones differ from the rig's by over 5 % in length, the
// clip is another figure's. The rig then keeps its own bones: translations that hold still are left
// out, those that move (hips, mostly) are scaled by the ratio of all bone lengths.
class ClipFitting {
 public:
  // `matches`: for every joint of `from` the joint of `rig`, or -1.
  ClipFitting(const Rig& rig, const Rig& from, const std::vector<int>& matches);

  // The tracks of a matched joint of `from` as the rig's joint needs them.
  JointTracks fit(const JointTracks& tracks) const;

  double lengthRatio() const { return unitRatio_; }  // of the units; 1 for equal ones
  bool otherProportions() const { return proportions_ > 0; }
  double proportions() const { return otherProportions() ? proportions_ : 1.0; }
  bool turned() const { return turned_; }  // tops were turned or moved
  // Matched joints below the tops that rest turned by more than 5 degrees against the rig's.
  int restsTurned() const { return restsTurned_; }

 private:
  struct Fit {
    int joint = -1;
    double length = 1.0;     // factor of translations
    bool moved = false;      // `change` applies as well
    glm::dmat4 change{1.0};  // of a top joint: the rig's frame from the file's
    glm::dquat turn{1.0, 0.0, 0.0, 0.0};
  };
  void measureProportions(const Rig& rig, const Rig& from, const std::vector<int>& matches);

  std::vector<Fit> fits_;  // for every joint of `from`
  double unitRatio_ = 1.0;
  double proportions_ = 0.0;
  bool turned_ = false;
  int restsTurned_ = 0;
};

}  // namespace ck
