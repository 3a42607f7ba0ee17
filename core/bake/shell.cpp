#include "core/bake/shell.h"

#include <algorithm>

namespace ck {

double shellDistance(const glm::dmat4& a, const glm::dmat4& b, const glm::dvec3& pivot) {
  const glm::dmat4 d = a - b;
  const glm::dvec3 moved = glm::dmat3(d) * pivot + glm::dvec3(d[3]);
  double largest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    largest = std::max(largest, glm::length(moved + kShellMeters * glm::dvec3(d[axis])));
  }
  return largest;
}

std::vector<char> judgedJoints(const Character& character) {
  std::vector<char> judged(character.rig.skinJoints.size(), 0);
  bool any = false;
  for (const Mesh& mesh : character.meshes) {
    for (const Influence& influence : mesh.influences) {
      judged[static_cast<std::size_t>(influence.skinJoint)] = 1;
      any = true;
    }
  }
  if (!any) std::fill(judged.begin(), judged.end(), char{1});
  return judged;
}

std::vector<glm::vec3> bakedPivots(const Rig& rig) {
  std::vector<glm::vec3> pivots;
  pivots.reserve(rig.skinJoints.size());
  for (const SkinJoint& skinJoint : rig.skinJoints) pivots.emplace_back(pivotOf(skinJoint));
  return pivots;
}

}  // namespace ck
