#include "core/import/bind_rest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "core/anim/pose.h"

namespace ck {
namespace {

constexpr double kPosedDegrees = 0.5;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// For every joint, the skin joint that binds it in the largest group of skin joints that meshes
// share, or -1. Meshes that follow a single joint say nothing about a pose.
std::vector<int> bindingJoints(const Character& character) {
  const Rig& rig = character.rig;
  std::vector<std::size_t> group(rig.skinJoints.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto top = [&group](std::size_t joint) {
    while (group[joint] != joint) joint = group[joint] = group[group[joint]];
    return joint;
  };
  for (const Mesh& mesh : character.meshes) {
    for (const Influence& influence : mesh.influences) {
      group[top(at(influence.skinJoint))] = top(at(mesh.influences.front().skinJoint));
    }
  }
  if (character.meshes.empty()) std::ranges::fill(group, 0);
  std::map<std::size_t, int> sizes;
  for (std::size_t s = 0; s < group.size(); ++s) ++sizes[top(s)];
  std::vector<int> binding(rig.joints.size(), -1);
  if (sizes.empty()) return binding;
  const std::size_t largest =
      std::ranges::max_element(sizes, {}, [](const auto& entry) { return entry.second; })->first;
  for (std::size_t s = group.size(); s-- > 0;) {
    if (top(s) == largest) binding[at(rig.skinJoints[s].joint)] = static_cast<int>(s);
  }
  return binding;
}

// The linear part of the transform from bind space to model space: the scale of `skin`, a skin
// matrix at rest, and the shortest rotation by which its vertical axis becomes vertical.
glm::dmat4 bindToModel(const glm::dmat4& skin) {
  const double size = std::cbrt(std::abs(glm::determinant(glm::dmat3(skin))));
  int up = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (std::abs(skin[axis].y) > std::abs(skin[up].y)) up = axis;
  }
  const double sign = skin[up].y < 0.0 ? -1.0 : 1.0;
  glm::dquat turn(1.0, 0.0, 0.0, 0.0);
  if (up == 1 && sign < 0.0) turn = {0.0, 1.0, 0.0, 0.0};
  if (up == 0) turn = glm::angleAxis(glm::radians(sign * 90.0), glm::dvec3(0, 0, 1));
  if (up == 2) turn = glm::angleAxis(glm::radians(sign * -90.0), glm::dvec3(1, 0, 0));
  return toMatrix({.rotation = turn, .scale = glm::dvec3(size)});
}

// Whether the bound joints are the same bones as those at rest, in another pose.
bool isOtherPose(const Rig& rig, const std::vector<int>& binding,
                 const std::vector<glm::dmat4>& rest, double size) {
  int bones = 0;
  int others = 0;
  bool posed = false;
  for (std::size_t j = 0; j < binding.size(); ++j) {
    if (binding[j] < 0) continue;
    int above = rig.joints[j].parent;
    while (above >= 0 && binding[at(above)] < 0) above = rig.joints[at(above)].parent;
    if (above < 0) continue;
    const glm::dmat4& upper = rig.skinJoints[at(binding[at(above)])].inverseBind;
    const glm::dmat4 bound = affineInverse(rig.skinJoints[at(binding[j])].inverseBind);
    const glm::dmat4 resting = affineInverse(rest[at(above)]) * rest[j];
    const double cosine =
        std::abs(glm::dot(rotationOf(glm::dmat3(upper * bound)), rotationOf(glm::dmat3(resting))));
    posed = posed || glm::degrees(2.0 * std::acos(std::min(1.0, cosine))) > kPosedDegrees;
    const double atRest = glm::distance(glm::dvec3(rest[j][3]), glm::dvec3(rest[at(above)][3]));
    const double atBind =
        size * glm::distance(glm::dvec3(bound[3]), glm::dvec3(affineInverse(upper)[3]));
    ++bones;
    others += std::abs(atRest - atBind) > 0.05 * std::max(atRest, atBind) ? 1 : 0;
  }
  return posed && 4 * others <= bones;
}

}  // namespace

Rig rigAtBind(const Character& character) {
  Rig rig = character.rig;
  const std::vector<int> binding = bindingJoints(character);
  const auto top = std::ranges::find_if(binding, [](int skinJoint) { return skinJoint >= 0; });
  if (top == binding.end()) return rig;
  const std::vector<glm::dmat4> rest = restMatrices(rig);
  const glm::dmat4 toModel = bindToModel(rest[at(static_cast<int>(top - binding.begin()))] *
                                         rig.skinJoints[at(*top)].inverseBind);
  if (!isOtherPose(rig, binding, rest, glm::length(glm::dvec3(toModel[0])))) return rig;
  std::vector<glm::dmat4> globals(rig.joints.size());
  for (std::size_t j = 0; j < globals.size(); ++j) {
    Joint& joint = rig.joints[j];
    const glm::dmat4 frame =
        (joint.parent < 0 ? glm::dmat4(1.0) : globals[at(joint.parent)]) * joint.preTransform;
    bool singular = binding[j] < 0;
    const glm::dmat4 toFrame = singular ? glm::dmat4(1.0) : affineInverse(frame, &singular);
    if (!singular) {
      const glm::dmat4 bound = affineInverse(rig.skinJoints[at(binding[j])].inverseBind);
      joint.rest = decompose(toFrame * toModel * bound).trs;
    }
    globals[j] = frame * toMatrix(joint.rest);
  }
  return rig;
}

void holdRest(const Rig& from, const Rig& rests, Clip& clip) {
  const auto hold = [&clip](auto& track, const auto& pose, const auto& rest) {
    if (!track.empty() || glm::length(pose - rest) <= 1e-5 * glm::length(rest)) return;
    track.times = {clip.startSeconds};
    track.values.resize(1);
    track.values[0] = pose;
  };
  for (std::size_t j = 0; j < from.joints.size(); ++j) {
    const Trs& pose = from.joints[j].rest;
    const Trs& rest = rests.joints[j].rest;
    if (pose == rest) continue;
    auto tracks =
        std::ranges::lower_bound(clip.jointTracks, static_cast<int>(j), {}, &JointTracks::joint);
    if (tracks == clip.jointTracks.end() || tracks->joint != static_cast<int>(j)) {
      tracks = clip.jointTracks.emplace(tracks);
      tracks->joint = static_cast<int>(j);
    }
    hold(tracks->translation, pose.translation, rest.translation);
    hold(tracks->rotation, pose.rotation, rest.rotation);
    hold(tracks->scale, pose.scale, rest.scale);
  }
}

}  // namespace ck
