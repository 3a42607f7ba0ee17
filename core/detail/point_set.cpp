#include "core/detail/point_set.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <utility>

#include "core/skinning/cpu_skinning.h"

namespace ck {
namespace {

glm::vec3 unit(const glm::dvec3& v, const glm::vec3& fallback) {
  const double length = glm::length(v);
  return length > 1e-20 ? glm::vec3(v / length) : fallback;
}

void applyMorphs(const Mesh& mesh, Mesh& plain) {
  const MorphedMesh bind = morphedMesh(mesh, mesh.defaultMorphWeights);
  plain.positions.assign(bind.positions.begin(), bind.positions.end());
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    plain.normals[v] = unit(bind.normals[v], mesh.normals[v]);
  }
  for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
    const glm::vec4& tangent = mesh.tangents[v];
    plain.tangents[v] = {unit(bind.tangents[v], glm::vec3(tangent)), tangent.w};
  }
}

Mesh unmorphed(const Mesh& mesh) {
  Mesh plain;
  plain.name = mesh.name;
  plain.material = mesh.material;
  plain.positions = mesh.positions;
  plain.normals = mesh.normals;
  plain.tangents = mesh.tangents;
  plain.uvs = mesh.uvs;
  plain.secondUvs = mesh.secondUvs;
  plain.colors = mesh.colors;
  plain.indices = mesh.indices;
  // Without morphs, vertices stay as they are to the bit.
  const auto isZero = [](float weight) { return weight == 0.0f; };
  if (!std::ranges::all_of(mesh.defaultMorphWeights, isZero)) applyMorphs(mesh, plain);
  plain.influenceStarts.push_back(0);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const LimitedInfluences kept = limitInfluences(influencesOf(mesh, v), 4);
    for (std::size_t i = 0; i < kept.weights.size(); ++i) {
      if (kept.weights[i] <= 0.0f) continue;
      plain.influences.push_back({kept.skinJoints[i], kept.weights[i]});
    }
    plain.influenceStarts.push_back(static_cast<std::uint32_t>(plain.influences.size()));
  }
  return plain;
}

// The common part of the vertices of one point, without padding.
struct PointKey {
  glm::vec3 position{0.0f};
  LimitedInfluences influences;
};
static_assert(sizeof(PointKey) == 44);

}  // namespace

Character unmorphed(const Character& character) {
  Character plain;
  plain.name = character.name;
  plain.rig = character.rig;
  plain.materials = character.materials;
  plain.source = character.source;
  for (const Image& image : character.images) {
    plain.images.push_back({image.name, 1, 1, {255, 255, 255, 255}});
  }
  for (const Mesh& mesh : character.meshes) plain.meshes.push_back(unmorphed(mesh));
  return plain;
}

PointSet pointsOf(const Character& character) {
  std::vector<PointKey> keys;
  PointSet points;
  for (const Mesh& mesh : character.meshes) {
    points.meshStarts.push_back(static_cast<std::uint32_t>(keys.size()));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      // Adding 0 maps -0 to 0.
      keys.push_back({mesh.positions[v] + 0.0f, limitInfluences(influencesOf(mesh, v), 4)});
    }
  }
  points.meshStarts.push_back(static_cast<std::uint32_t>(keys.size()));
  points.pointOf.resize(keys.size());
  if (keys.empty()) return points;
  const std::size_t count = meshopt_generateVertexRemap(points.pointOf.data(), nullptr, keys.size(),
                                                        keys.data(), keys.size(), sizeof(PointKey));
  points.positions.resize(count);
  points.influences.resize(count);
  for (std::size_t v = 0; v < keys.size(); ++v) {
    points.positions[points.pointOf[v]] = keys[v].position;
    points.influences[points.pointOf[v]] = keys[v].influences;
  }
  return points;
}

Surface surfaceOf(const Character& character) {
  Surface surface;
  std::uint32_t first = 0;
  for (const Mesh& mesh : character.meshes) {
    surface.starts.push_back(surface.corners.size());
    for (const std::uint32_t index : mesh.indices) surface.corners.push_back(first + index);
    first += static_cast<std::uint32_t>(mesh.positions.size());
  }
  surface.starts.push_back(surface.corners.size());
  return surface;
}

glm::vec3 posed(const glm::vec3& position, const LimitedInfluences& influences,
                std::span<const SkinMatrix> skinMatrices) {
  const glm::vec4 point(position, 1.0f);
  glm::vec3 sum(0.0f);
  for (std::size_t i = 0; i < influences.weights.size() && influences.weights[i] > 0.0f; ++i) {
    sum += influences.weights[i] *
           (skinMatrices[static_cast<std::size_t>(influences.skinJoints[i])] * point);
  }
  return sum;
}

}  // namespace ck
