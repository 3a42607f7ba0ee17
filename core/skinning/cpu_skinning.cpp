#include "core/skinning/cpu_skinning.h"

#include <utility>

#include "core/anim/pose.h"
#include "core/base/assert.h"

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

// Reverses triangles that joints have mirrored, and their normals, which the cofactor matrix leaves
// pointing inwards.
void turnOutwards(Mesh& mesh, const std::vector<bool>& mirrored) {
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    if (mirrored[v]) mesh.normals[v] = -mesh.normals[v];
  }
  for (std::size_t first = 0; first + 2 < mesh.indices.size(); first += 3) {
    std::uint32_t* corners = mesh.indices.data() + first;
    if (mirrored[corners[0]] && mirrored[corners[1]] && mirrored[corners[2]]) {
      std::swap(corners[1], corners[2]);
    }
  }
}

Mesh standing(const Mesh& mesh, std::span<const glm::dmat4> matrices) {
  const SkinnedMesh posed =
      skinMesh(mesh, matrices, {.influenceLimit = 0, .morphWeights = mesh.defaultMorphWeights});
  Mesh out;
  out.name = mesh.name;
  out.material = mesh.material;
  out.uvs = mesh.uvs;
  out.secondUvs = mesh.secondUvs;
  out.colors = mesh.colors;
  out.indices = mesh.indices;
  out.positions.assign(posed.positions.begin(), posed.positions.end());
  out.normals.assign(posed.normals.begin(), posed.normals.end());
  out.tangents.assign(posed.tangents.begin(), posed.tangents.end());
  turnOutwards(out, posed.mirrored);
  for (std::uint32_t v = 0; v <= out.positions.size(); ++v) out.influenceStarts.push_back(v);
  out.influences.assign(out.positions.size(), {0, 1.0f});
  return out;
}

}  // namespace

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

glm::dmat3 cofactor(const glm::dmat3& m) {
  return glm::dmat3(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
}

SkinnedMesh skinMesh(const Mesh& mesh, std::span<const glm::dmat4> skinMatrices,
                     const SkinningOptions& options) {
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

Character restShape(const Character& character) {
  Character shape;
  shape.name = character.name;
  shape.rig.joints.emplace_back().name = "prop";
  shape.rig.skinJoints = {{0, glm::dmat4(1.0)}};
  const std::vector<glm::dmat4> matrices = skinMatrices(character.rig, restMatrices(character.rig));
  for (const Mesh& mesh : character.meshes) shape.meshes.push_back(standing(mesh, matrices));
  shape.materials = character.materials;
  shape.images = character.images;
  shape.source = character.source;
  return shape;
}

}  // namespace ck
