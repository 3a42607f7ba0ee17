#include "core/bake/pose/shell.h"

#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"

namespace ck {
namespace {

std::vector<char> jointsThatShow(const Character& character) {
  std::vector<char> hasVertices(character.rig.skinJoints.size(), 0);
  bool any = false;
  for (const Mesh& mesh : character.meshes) {
    for (const Influence& influence : mesh.influences) {
      hasVertices[static_cast<std::size_t>(influence.skinJoint)] = 1;
      any = true;
    }
  }
  if (!any) std::fill(hasVertices.begin(), hasVertices.end(), char{1});
  for (std::size_t i = 0; i < hasVertices.size(); ++i) {
    if (character.rig.skinJoints[i].isSocket) hasVertices[i] = 1;
  }
  return hasVertices;
}

std::vector<double> shellRadii(const Rig& rig) {
  constexpr double kNoSize = 1e-9;
  std::vector<double> radii;
  for (const glm::dmat4& skin : skinMatrices(rig, restMatrices(rig))) {
    const double scale = std::cbrt(std::abs(glm::determinant(glm::dmat3(skin))));
    radii.push_back(std::isfinite(scale) && scale > kNoSize ? kShellMeters / scale : kShellMeters);
  }
  return radii;
}

}  // namespace

Shell makeShell(const Character& character) {
  return {bakedPivots(character.rig), shellRadii(character.rig), jointsThatShow(character)};
}

double shellDistance(const glm::dmat4& a, const glm::dmat4& b, const glm::dvec3& pivot,
                     double radius) {
  const glm::dmat4 d = a - b;
  const glm::dvec3 moved = glm::dmat3(d) * pivot + glm::dvec3(d[3]);
  double largest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    largest = std::max(largest, glm::length(moved + radius * glm::dvec3(d[axis])));
  }
  return largest;
}

double shellDistance(const Shell& shell, std::size_t joint, const glm::dmat4& a,
                     const glm::dmat4& b) {
  return shellDistance(a, b, glm::dvec3(shell.pivots[joint]), shell.radii[joint]);
}

double poseDistanceMm(std::span<const glm::dmat4> a, std::span<const glm::dmat4> b,
                      const Shell& shell) {
  double largest = 0.0;
  for (std::size_t joint = 0; joint < a.size(); ++joint) {
    if (shell.hasVertices[joint] == 0) continue;
    largest = std::max(largest, shellDistance(shell, joint, a[joint], b[joint]));
  }
  return largest * 1000.0;
}

std::vector<glm::vec3> bakedPivots(const Rig& rig) {
  std::vector<glm::vec3> pivots;
  pivots.reserve(rig.skinJoints.size());
  for (const SkinJoint& skinJoint : rig.skinJoints) pivots.emplace_back(pivotOf(skinJoint));
  return pivots;
}

}  // namespace ck
