#include "core/import/still_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"

namespace ck {
namespace {

constexpr double kStillMeters = 1e-5;
constexpr double kStillRadians = 1e-5;
constexpr double kStillScale = 1e-5;  // as a share

// Model metres per unit of a joint's translation, at rest.
std::vector<double> sizesOfParents(const Rig& rig) {
  const std::vector<glm::dmat4> globals = restMatrices(rig);
  std::vector<double> sizes;
  for (const Joint& joint : rig.joints) {
    const glm::dmat4 parent =
        joint.parent < 0 ? glm::dmat4(1.0) : globals[static_cast<std::size_t>(joint.parent)];
    const double volume = glm::determinant(glm::dmat3(parent * joint.preTransform));
    sizes.push_back(std::cbrt(std::abs(volume)));
  }
  return sizes;
}

bool isStill(const JointTracks& tracks, const Trs& rest, double size) {
  const auto staysAt = [](const auto& track, auto&& isRest) {
    const bool cubic = track.interpolation == Interpolation::Cubic;
    for (std::size_t k = 0; k < track.times.size(); ++k) {
      if (!isRest(track.values[cubic ? 3 * k + 1 : k])) return false;
    }
    // Between keys of one value, a spline still bends by its tangents.
    return !cubic || std::ranges::all_of(track.times, [&](double time) {
      const auto after = std::ranges::upper_bound(track.times, time);
      if (after == track.times.end()) return true;
      return isRest(sampleTrack(track, 0.75 * time + 0.25 * *after)) &&
             isRest(sampleTrack(track, 0.25 * time + 0.75 * *after));
    });
  };
  return staysAt(tracks.translation,
                 [&](const auto& value) {
                   return size * glm::distance(glm::dvec3(value), rest.translation) <= kStillMeters;
                 }) &&
         staysAt(tracks.rotation,
                 [&](const auto& value) {
                   // The part of the quaternion across the rest is half the angle's sine; the
                   // cosine would lose it in rounding.
                   const glm::dquat turn = glm::conjugate(rest.rotation) * glm::dquat(value);
                   return 2.0 * glm::length(glm::dvec3(turn.x, turn.y, turn.z)) <= kStillRadians;
                 }) &&
         staysAt(tracks.scale, [&](const auto& value) {
           const glm::dvec3 scale(value);
           for (int axis = 0; axis < 3; ++axis) {
             const double difference = std::abs(scale[axis] - rest.scale[axis]);
             if (difference > kStillScale * std::abs(rest.scale[axis])) return false;
           }
           return true;
         });
}

std::vector<char> stillOnes(const Character& character) {
  std::vector<char> still(character.rig.joints.size(), 1);
  const std::vector<double> sizes = sizesOfParents(character.rig);
  for (const Clip& clip : character.clips) {
    for (const JointTracks& tracks : clip.jointTracks) {
      const auto joint = static_cast<std::size_t>(tracks.joint);
      if (still[joint] == 0) continue;
      still[joint] = isStill(tracks, character.rig.joints[joint].rest, sizes[joint]) ? 1 : 0;
    }
  }
  return still;
}

// The corners of a box in bind space: where these agree, everything inside does.
struct BindBox {
  glm::dvec3 low{0.0};
  glm::dvec3 high{0.0};
  bool empty = true;
};

// The boxes of the vertices, and of what morph targets make of them, that follow each skin joint.
std::vector<BindBox> boxesOf(const Character& character) {
  std::vector<BindBox> boxes(character.rig.skinJoints.size());
  for (const Mesh& mesh : character.meshes) {
    std::vector<glm::vec3> reach(mesh.morphTargets.empty() ? 0 : mesh.positions.size());
    for (const MorphTarget& target : mesh.morphTargets) {
      for (std::size_t i = 0; i < target.vertices.size(); ++i) {
        reach[target.vertices[i]] += glm::abs(target.positionDeltas[i]);
      }
    }
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const glm::dvec3 place(mesh.positions[v]);
      const glm::dvec3 around(reach.empty() ? glm::vec3(0.0f) : reach[v]);
      for (const Influence& influence : influencesOf(mesh, v)) {
        BindBox& box = boxes[static_cast<std::size_t>(influence.skinJoint)];
        box.low = box.empty ? place - around : glm::min(box.low, place - around);
        box.high = box.empty ? place + around : glm::max(box.high, place + around);
        box.empty = false;
      }
    }
  }
  return boxes;
}

bool movesNothing(const glm::dmat4& one, const glm::dmat4& other, const BindBox& box, double size) {
  if (box.empty) return true;
  const glm::dmat4 difference = one - other;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec4 point((corner & 1) != 0 ? box.high.x : box.low.x,
                           (corner & 2) != 0 ? box.high.y : box.low.y,
                           (corner & 4) != 0 ? box.high.z : box.low.z, 1.0);
    if (!(size * glm::length(glm::dvec3(difference * point)) <= kStillMeters)) return false;
  }
  return true;
}

}  // namespace

std::vector<int> stillJoints(const Character& character) {
  const Rig& rig = character.rig;
  std::vector<int> into(rig.skinJoints.size(), -1);
  if (character.clips.empty()) return into;
  const std::vector<char> still = stillOnes(character);
  const std::vector<BindBox> boxes = boxesOf(character);
  const std::vector<glm::dmat4> globals = restMatrices(rig);
  std::vector<std::vector<int>> skinJointsOf(rig.joints.size());
  for (std::size_t s = 0; s < rig.skinJoints.size(); ++s) {
    skinJointsOf[static_cast<std::size_t>(rig.skinJoints[s].joint)].push_back(static_cast<int>(s));
  }
  // Parents come before their children, so that an ancestor's own fate is known.
  for (std::size_t s = 0; s < rig.skinJoints.size(); ++s) {
    const SkinJoint& own = rig.skinJoints[s];
    if (own.isSocket) continue;
    auto joint = static_cast<std::size_t>(own.joint);
    glm::dmat4 toAncestor(1.0);  // joint space -> the ancestor's
    while (into[s] < 0 && still[joint] != 0 && rig.joints[joint].parent >= 0) {
      toAncestor = rig.joints[joint].preTransform * toMatrix(rig.joints[joint].rest) * toAncestor;
      joint = static_cast<std::size_t>(rig.joints[joint].parent);
      const double size = std::cbrt(std::abs(glm::determinant(glm::dmat3(globals[joint]))));
      for (const int other : skinJointsOf[joint]) {
        const SkinJoint& ancestor = rig.skinJoints[static_cast<std::size_t>(other)];
        if (ancestor.isSocket || into[static_cast<std::size_t>(other)] >= 0) continue;
        if (!movesNothing(toAncestor * own.inverseBind, ancestor.inverseBind, boxes[s], size)) {
          continue;
        }
        into[s] = other;
        break;
      }
    }
  }
  return into;
}

int stillJointCount(const Character& character) {
  return static_cast<int>(
      std::ranges::count_if(stillJoints(character), [](int other) { return other >= 0; }));
}

void mergeStillJoints(Character& character) {
  const std::vector<int> into = stillJoints(character);
  std::vector<int> newNumber(into.size(), -1);
  std::vector<SkinJoint> kept;
  for (std::size_t s = 0; s < into.size(); ++s) {
    if (into[s] >= 0) continue;
    newNumber[s] = static_cast<int>(kept.size());
    kept.push_back(character.rig.skinJoints[s]);
  }
  if (kept.size() == into.size()) return;
  for (std::size_t s = 0; s < into.size(); ++s) {
    if (into[s] >= 0) newNumber[s] = newNumber[static_cast<std::size_t>(into[s])];
  }
  for (Mesh& mesh : character.meshes) {
    std::vector<std::uint32_t> starts = {0};
    std::vector<Influence> influences;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const auto from = static_cast<std::ptrdiff_t>(influences.size());
      for (const Influence& influence : influencesOf(mesh, v)) {
        const int joint = newNumber[static_cast<std::size_t>(influence.skinJoint)];
        const auto same =
            std::find_if(influences.begin() + from, influences.end(),
                         [joint](const Influence& other) { return other.skinJoint == joint; });
        if (same == influences.end()) {
          influences.push_back({joint, influence.weight});
        } else {
          same->weight += influence.weight;
        }
      }
      std::stable_sort(influences.begin() + from, influences.end(),
                       [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      starts.push_back(static_cast<std::uint32_t>(influences.size()));
    }
    mesh.influences = std::move(influences);
    mesh.influenceStarts = std::move(starts);
  }
  character.notes.push_back(
      {Note::Level::Info, "StillJointsMerged",
       fmt::format("{} of {} skin joints never move against their parents, which have their "
                   "weights now",
                   into.size() - kept.size(), into.size())});
  character.rig.skinJoints = std::move(kept);
}

}  // namespace ck
