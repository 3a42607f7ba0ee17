#include "core/scene/rig.h"

#include <fmt/format.h>

namespace ck {

std::optional<int> findJoint(const Rig& rig, std::string_view name) {
  for (std::size_t joint = 0; joint < rig.joints.size(); ++joint) {
    if (rig.joints[joint].name == name) return static_cast<int>(joint);
  }
  return std::nullopt;
}

std::vector<int> skinJointParents(const Rig& rig) {
  std::vector<int> firstSkinJoint(rig.joints.size(), -1);
  for (std::size_t i = rig.skinJoints.size(); i-- > 0;) {
    firstSkinJoint[rig.skinJoints[i].joint] = static_cast<int>(i);
  }
  std::vector<int> parents;
  parents.reserve(rig.skinJoints.size());
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    int joint = rig.joints[skinJoint.joint].parent;
    while (joint >= 0 && firstSkinJoint[joint] < 0) joint = rig.joints[joint].parent;
    parents.push_back(joint < 0 ? -1 : firstSkinJoint[joint]);
  }
  return parents;
}

glm::dvec3 pivotOf(const SkinJoint& skinJoint) {
  bool singular = false;
  const glm::dmat4 bind = affineInverse(skinJoint.inverseBind, &singular);
  return singular ? glm::dvec3(0.0) : glm::dvec3(bind[3]);
}

std::vector<std::string> skinJointNames(const Rig& rig) {
  std::vector<int> seen(rig.joints.size(), 0);
  std::vector<std::string> names;
  names.reserve(rig.skinJoints.size());
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    const std::string& name = rig.joints[skinJoint.joint].name;
    const int count = ++seen[skinJoint.joint];
    names.push_back(count == 1 ? name : fmt::format("{} ({})", name, count));
  }
  return names;
}

}  // namespace ck
