#include "core/anim/joint_mask.h"

#include <algorithm>

namespace ck {

std::vector<float> maskWeights(const Rig& rig, const JointMask& mask) {
  std::vector<float> weights(rig.joints.size(), 0.0f);
  for (const MaskPart& part : mask.parts) {
    // Parents come first, so one pass finds the whole subtree.
    std::vector<bool> reached(rig.joints.size(), false);
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      const Joint& joint = rig.joints[j];
      const bool below =
          part.subtree && joint.parent >= 0 && reached[static_cast<std::size_t>(joint.parent)];
      reached[j] = below || joint.name == part.joint;
      if (reached[j]) weights[j] = std::clamp(part.weight, 0.0f, 1.0f);
    }
  }
  return weights;
}

std::vector<MaskPart> maskPartsOf(const Rig& rig, std::span<const float> weights) {
  std::vector<MaskPart> parts;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const int parent = rig.joints[j].parent;
    const float above = parent < 0 ? 0.0f : weights[static_cast<std::size_t>(parent)];
    if (weights[j] != above) parts.push_back({rig.joints[j].name, weights[j], true});
  }
  return parts;
}

}  // namespace ck
