#include "core/skinning/cpu_skinning.h"

#include "core/base/assert.h"
#include "core/morph/morphed_mesh.h"

namespace ck {
namespace {

glm::dvec3 unit(const glm::dvec3& v, const glm::dvec3& fallback) {
  const double length = glm::length(v);
  return length > 1e-150 ? v / length : fallback;
}

glm::dmat4 blendedMatrix(const Mesh& mesh, std::size_t vertex,
                         std::span<const glm::dmat4> skinMatrices, int limit) {
  glm::dmat4 blended(0.0);
  if (limit > 0) {
    const LimitedInfluences kept = limitInfluences(influencesOf(mesh, vertex), limit);
    for (int i = 0; i < 4; ++i) {
      if (kept.weights[i] > 0.0f) {
        blended += static_cast<double>(kept.weights[i]) *
                   skinMatrices[static_cast<std::size_t>(kept.skinJoints[i])];
      }
    }
    return blended;
  }
  for (const Influence& influence : influencesOf(mesh, vertex)) {
    blended += static_cast<double>(influence.weight) *
               skinMatrices[static_cast<std::size_t>(influence.skinJoint)];
  }
  return blended;
}

}  // namespace

glm::dmat3 cofactor(const glm::dmat3& m) {
  return glm::dmat3(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
}

SkinnedMesh skinMesh(const Mesh& mesh, std::span<const glm::dmat4> skinMatrices,
                     const SkinningOptions& options) {
  CK_ASSERT(options.morphWeights.empty() ||
            options.morphWeights.size() == mesh.morphTargets.size());
  const MorphedMesh bind = morphedMesh(mesh, options.morphWeights);
  const std::size_t count = mesh.positions.size();
  SkinnedMesh posed;
  posed.positions.reserve(count);
  posed.normals.reserve(count);
  posed.tangents.reserve(bind.tangents.size());
  posed.mirrored.reserve(count);
  for (std::size_t v = 0; v < count; ++v) {
    const glm::dmat4 matrix = blendedMatrix(mesh, v, skinMatrices, options.influenceLimit);
    const glm::dmat3 linear(matrix);
    posed.positions.emplace_back(matrix * glm::dvec4(bind.positions[v], 1.0));
    const glm::dvec3 normal = unit(cofactor(linear) * bind.normals[v], bind.normals[v]);
    posed.normals.push_back(normal);
    const bool mirrored = glm::determinant(linear) < 0.0;
    posed.mirrored.push_back(mirrored);
    if (bind.tangents.empty()) continue;
    const glm::dvec3 raw = linear * bind.tangents[v];
    const glm::dvec3 tangent = unit(raw - normal * glm::dot(normal, raw), bind.tangents[v]);
    const double side = mirrored ? -1.0 : 1.0;
    posed.tangents.emplace_back(tangent, side * static_cast<double>(mesh.tangents[v].w));
  }
  return posed;
}

}  // namespace ck
