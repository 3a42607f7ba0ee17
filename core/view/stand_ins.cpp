#include "core/view/stand_ins.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/anim/pose.h"

namespace ck {
namespace {

struct Arm {
  const char* axis;
  glm::vec4 color;  // linear
  // Shares of the figure's height.
  double length;
  double behind;  // how far it reaches to the other side
  double width;
};
constexpr std::array<Arm, 3> kArms = {{
    {"x", {0.55f, 0.03f, 0.03f, 1.0f}, 0.07, 0.07, 0.014},
    {"y", {0.05f, 0.40f, 0.06f, 1.0f}, 0.28, 0.07, 0.014},
    {"z", {0.04f, 0.12f, 0.60f, 1.0f}, 0.10, 0.0, 0.014},
}};

// A box along one axis of a frame with unit axes, with a face for each direction.
Mesh armMesh(const glm::dmat4& frame, const Arm& arm, int axis, double height, int skinJoint) {
  Mesh mesh;
  const double half = 0.5 * arm.width * height;
  glm::dvec3 low(-half);
  glm::dvec3 high(half);
  low[axis] = -arm.behind * height;
  high[axis] = arm.length * height;
  mesh.influenceStarts.push_back(0);
  for (int face = 0; face < 6; ++face) {
    const int out = face / 2;
    const bool isHigh = face % 2 == 1;
    const int u = (out + 1) % 3;
    const int v = (out + 2) % 3;
    glm::dvec3 normal(0.0);
    normal[out] = isHigh ? 1.0 : -1.0;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int corner = 0; corner < 4; ++corner) {
      glm::dvec3 point;
      point[out] = isHigh ? high[out] : low[out];
      point[u] = corner == 1 || corner == 2 ? high[u] : low[u];
      point[v] = corner >= 2 ? high[v] : low[v];
      mesh.positions.emplace_back(transformPoint(frame, point));
      mesh.normals.emplace_back(glm::normalize(glm::dmat3(frame) * normal));
      mesh.influences.push_back({skinJoint, 1.0f});
      mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
    }
    // Counter-clockwise from outside; the other way round on the low side.
    constexpr std::uint32_t kHigh[] = {0, 1, 2, 0, 2, 3};
    constexpr std::uint32_t kLow[] = {0, 2, 1, 0, 3, 2};
    for (int i = 0; i < 6; ++i) mesh.indices.push_back(first + (isHigh ? kHigh[i] : kLow[i]));
  }
  return mesh;
}

// The socket at bind time: where it is, with axes of length 1, right-handed.
glm::dmat4 frameOf(const SkinJoint& socket) {
  const glm::dmat4 bind = affineInverse(socket.inverseBind);
  glm::dmat4 frame = glm::mat4_cast(rotationOf(glm::dmat3(bind)));
  frame[3] = bind[3];
  return frame;
}

}  // namespace

bool hasSockets(const Rig& rig) {
  return std::ranges::any_of(rig.skinJoints, &SkinJoint::isSocket);
}

Character withStandIns(const Character& character) {
  Character shown = character;
  const Bounds bounds = bindBounds(character);
  const glm::dvec3 size = bounds.high - bounds.low;
  const double height = std::max({size.x, size.y, size.z});
  const auto firstMaterial = static_cast<int>(shown.materials.size());
  for (const Arm& arm : kArms) {
    Material& material = shown.materials.emplace_back();
    material.name = fmt::format("stand-in {}", arm.axis);
    material.baseColor = arm.color;
  }
  for (std::size_t i = 0; i < character.rig.skinJoints.size(); ++i) {
    const SkinJoint& socket = character.rig.skinJoints[i];
    if (!socket.isSocket) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const Arm& arm = kArms[static_cast<std::size_t>(axis)];
      Mesh mesh = armMesh(frameOf(socket), arm, axis, height, static_cast<int>(i));
      mesh.material = firstMaterial + axis;
      mesh.name =
          fmt::format("stand-in of {} {}",
                      character.rig.joints[static_cast<std::size_t>(socket.joint)].name, arm.axis);
      shown.meshes.push_back(std::move(mesh));
    }
  }
  return shown;
}

CharacterPtr StandIns::of(const CharacterPtr& character) {
  constexpr std::size_t kMost = 64;
  if (!character || !hasSockets(character->rig)) return character;
  const auto found = std::ranges::find(known_, character, &Known::character);
  if (found != known_.end()) return found->shown;
  if (known_.size() == kMost) known_.erase(known_.begin());
  known_.push_back({character, std::make_shared<const Character>(withStandIns(*character))});
  return known_.back().shown;
}

}  // namespace ck
