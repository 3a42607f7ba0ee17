#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/scene/rig.h"

namespace ck {

// One entry of a mask: a joint and its weight.
struct MaskPart {
  std::string joint;    // the joint's name
  float weight = 1.0f;  // in [0, 1]
  bool subtree = true;  // also applies to all joints below
  bool operator==(const MaskPart&) const = default;
};

// The joints that a second clip may move, e.g. the upper body waves while the legs walk. Joints are
// given by name, so that a mask works on every rig that has these joints.
struct JointMask {
  std::string name;
  std::vector<MaskPart> parts;  // later entries override earlier ones
  bool operator==(const JointMask&) const = default;
};

// One weight per joint of the rig; 0 for joints without an entry. Names that the rig does not have
// are ignored.
std::vector<float> maskWeights(const Rig& rig, const JointMask& mask);

// The smallest list of entries that gives the rig these weights, one weight per joint.
std::vector<MaskPart> maskPartsOf(const Rig& rig, std::span<const float> weights);

}  // namespace ck
