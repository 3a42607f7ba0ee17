#include "core/import/split_joints.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ck {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// Splits one joint. `goesUp`, one per joint: whether it goes below the upper joint, if it is a
// child.
void splitJoint(Character& character, int lower, const std::vector<char>& goesUp) {
  std::vector<Joint>& joints = character.rig.joints;
  const auto moved = [lower](int& joint) { joint += joint >= lower ? 1 : 0; };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool isUpper = joints[j].parent == lower && goesUp[j] != 0;
    if (isUpper) {
      const Trs scale = {.scale = joints[at(lower)].rest.scale};
      joints[j].preTransform = toMatrix(scale) * joints[j].preTransform;
      continue;  // its parent keeps the number, which becomes that of the upper joint
    }
    moved(joints[j].parent);
  }
  for (SkinJoint& skinJoint : character.rig.skinJoints) moved(skinJoint.joint);
  Joint upper = joints[at(lower)];
  Joint& own = joints[at(lower)];
  upper.name += kUnscaled;
  upper.rest.scale = glm::dvec3(1.0);
  own.parent = lower;
  own.preTransform = glm::dmat4(1.0);
  own.rest = {.scale = own.rest.scale};
  const std::string name = own.name;
  if (std::ranges::find(character.socketCandidates, name) != character.socketCandidates.end()) {
    character.socketCandidates.push_back(upper.name);
  }
  joints.insert(joints.begin() + lower, std::move(upper));
  for (Clip& clip : character.clips) {
    for (JointTracks& tracks : clip.jointTracks) moved(tracks.joint);
    const auto tracks = std::ranges::find(clip.jointTracks, lower + 1, &JointTracks::joint);
    if (tracks == clip.jointTracks.end()) continue;
    JointTracks scale;
    scale.joint = lower + 1;
    scale.scale = std::exchange(tracks->scale, {});
    tracks->joint = lower;
    if (!scale.scale.empty()) clip.jointTracks.insert(tracks + 1, std::move(scale));
  }
}

}  // namespace

std::vector<int> unscaledJoints(const Rig& rig) {
  std::vector<int> upper(rig.joints.size(), -1);
  for (std::size_t j = 0; j < upper.size(); ++j) {
    const Joint& joint = rig.joints[j];
    if (joint.parent < 0 || joint.rest.translation != glm::dvec3(0.0)) continue;
    if (rig.joints[at(joint.parent)].name == joint.name + std::string(kUnscaled)) {
      upper[j] = joint.parent;
    }
  }
  return upper;
}

void splitLike(const Rig& other, std::vector<int> partners, Character& character) {
  const std::vector<int> theirs = unscaledJoints(other);
  const std::vector<int> ours = unscaledJoints(character.rig);
  // From the last joint on, so that the numbers of those to come stay.
  for (std::size_t j = partners.size(); j-- > 0;) {
    const int lower = partners[j];
    const int upper = lower < 0 ? -1 : theirs[at(lower)];
    if (upper < 0 || ours[j] >= 0) continue;
    const auto isBelowUpper = [&](int joint) {
      while (joint >= 0 && joint != upper && joint != lower) joint = other.joints[at(joint)].parent;
      return joint == upper;
    };
    std::vector<char> goesUp;
    for (const int partner : partners) goesUp.push_back(isBelowUpper(partner) ? 1 : 0);
    splitJoint(character, static_cast<int>(j), goesUp);
    partners.insert(partners.begin() + static_cast<std::ptrdiff_t>(j), -1);
  }
}

}  // namespace ck
