#include "core/detail/level_character.h"

#include <algorithm>

namespace ck {
namespace {

// The vertices of a mesh that triangles use, ascending and counted in the mesh.
std::vector<std::uint32_t> usedVertices(std::span<const std::uint32_t> corners,
                                        std::uint32_t firstVertex) {
  std::vector<std::uint32_t> used;
  for (const std::uint32_t corner : corners) used.push_back(corner - firstVertex);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

template <class Value>
std::vector<Value> picked(const std::vector<Value>& values,
                          const std::vector<std::uint32_t>& vertices) {
  std::vector<Value> result;
  if (values.empty()) return result;
  result.reserve(vertices.size());
  for (const std::uint32_t vertex : vertices) result.push_back(values[vertex]);
  return result;
}

void addInfluences(Mesh& mesh, const LimitedInfluences& influences) {
  for (std::size_t i = 0; i < influences.weights.size(); ++i) {
    if (influences.weights[i] <= 0.0f) continue;
    mesh.influences.push_back({influences.skinJoints[i], influences.weights[i]});
  }
  mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
}

}  // namespace

Character levelCharacter(const Character& plain, const PointSet& points, const Surface& surface,
                         const std::vector<LimitedInfluences>& influences) {
  Character level;
  level.name = plain.name;
  level.rig = plain.rig;
  level.materials = plain.materials;
  level.images = plain.images;
  level.source = plain.source;
  for (std::size_t m = 0; m < plain.meshes.size(); ++m) {
    const Mesh& from = plain.meshes[m];
    const std::uint32_t first = points.meshStarts[m];
    const std::vector<std::uint32_t> used = usedVertices(surface.ofMesh(m), first);
    Mesh mesh;
    mesh.name = from.name;
    mesh.material = from.material;
    mesh.positions = picked(from.positions, used);
    mesh.normals = picked(from.normals, used);
    mesh.tangents = picked(from.tangents, used);
    mesh.uvs = picked(from.uvs, used);
    mesh.secondUvs = picked(from.secondUvs, used);
    mesh.colors = picked(from.colors, used);
    mesh.influenceStarts.push_back(0);
    for (const std::uint32_t vertex : used) {
      addInfluences(mesh, influences[points.pointOf[first + vertex]]);
    }
    for (const std::uint32_t corner : surface.ofMesh(m)) {
      const auto place = std::lower_bound(used.begin(), used.end(), corner - first);
      mesh.indices.push_back(static_cast<std::uint32_t>(place - used.begin()));
    }
    level.meshes.push_back(std::move(mesh));
  }
  return level;
}

}  // namespace ck
