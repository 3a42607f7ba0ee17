#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/scene/rig.h"

namespace ck {

// A joint that a mask speaks of.
struct MaskPart {
  std::string joint;    // its name
  float weight = 1.0f;  // in [0, 1]
  bool subtree = true;  // with all that hangs below it
  bool operator==(const MaskPart&) const = default;
};

// Which joints a second clip may move, by name, so that it fits every rig that has them: "upper
// body" waves while the legs walk.
struct JointMask {
  std::string name;
  std::vector<MaskPart> parts;  // later ones overrule earlier ones
  bool operator==(const JointMask&) const = default;
};

// A weight per joint of the rig: 0 for those that no part speaks of. Names that the rig does not
// have are passed over.
std::vector<float> maskWeights(const Rig& rig, const JointMask& mask);

// The fewest parts that give a rig these weights, one per joint.
std::vector<MaskPart> maskPartsOf(const Rig& rig, std::span<const float> weights);

}  // namespace ck
