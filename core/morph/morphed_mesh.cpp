#include "core/morph/morphed_mesh.h"

#include "core/base/assert.h"

namespace ck {

MorphedMesh morphedMesh(const Mesh& mesh, std::span<const float> weights) {
  CK_ASSERT(weights.empty() || weights.size() == mesh.morphTargets.size());
  MorphedMesh bind;
  bind.positions.assign(mesh.positions.begin(), mesh.positions.end());
  bind.normals.assign(mesh.normals.begin(), mesh.normals.end());
  bind.tangents.reserve(mesh.tangents.size());
  for (const glm::vec4& tangent : mesh.tangents) bind.tangents.emplace_back(tangent);
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const MorphTarget& target = mesh.morphTargets[t];
    const double weight = weights[t];
    if (weight == 0.0) continue;
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
      const std::uint32_t v = target.vertices[i];
      bind.positions[v] += weight * glm::dvec3(target.positionDeltas[i]);
      if (!target.normalDeltas.empty()) {
        bind.normals[v] += weight * glm::dvec3(target.normalDeltas[i]);
      }
      if (!target.tangentDeltas.empty() && !bind.tangents.empty()) {
        bind.tangents[v] += weight * glm::dvec3(target.tangentDeltas[i]);
      }
    }
  }
  return bind;
}

}  // namespace ck
