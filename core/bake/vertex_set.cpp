#include "core/bake/vertex_set.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "core/base/files.h"

namespace ck {
namespace {

void append(VertexSet& set, const Mesh& mesh, std::size_t vertex, int limit) {
  if (set.starts.empty()) set.starts.push_back(0);
  set.positions.push_back(mesh.positions[vertex]);
  const std::span<const Influence> influences = influencesOf(mesh, vertex);
  if (limit <= 0) {
    for (const Influence& influence : influences) {
      set.skinJoints.push_back(static_cast<std::uint32_t>(influence.skinJoint));
      set.weights.push_back(influence.weight);
    }
  } else {
    const LimitedInfluences kept = limitInfluences(influences, limit);
    for (std::size_t i = 0; i < kept.weights.size(); ++i) {
      if (kept.weights[i] <= 0.0f) continue;
      set.skinJoints.push_back(static_cast<std::uint32_t>(kept.skinJoints[i]));
      set.weights.push_back(kept.weights[i]);
    }
  }
  set.starts.push_back(static_cast<std::uint32_t>(set.weights.size()));
}

std::uint64_t vertexHash(const Mesh& mesh, std::size_t vertex) {
  const auto influences = std::as_bytes(influencesOf(mesh, vertex));
  const auto position = std::as_bytes(std::span(&mesh.positions[vertex], 1));
  std::vector<std::byte> bytes(position.begin(), position.end());
  bytes.insert(bytes.end(), influences.begin(), influences.end());
  return hashBytes(bytes);
}

}  // namespace

VertexSet everyVertex(const Character& character, std::size_t stride, int limit) {
  VertexSet set;
  std::size_t running = 0;
  for (const Mesh& mesh : character.meshes) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v, ++running) {
      if (running % stride == 0) append(set, mesh, v, limit);
    }
  }
  return set;
}

VertexSet distinctVertices(const Character& character) {
  VertexSet set;
  std::unordered_set<std::uint64_t> seen;
  for (const Mesh& mesh : character.meshes) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      if (seen.insert(vertexHash(mesh, v)).second) append(set, mesh, v, 0);
    }
  }
  return set;
}

LimitedVertices overLimit(const Character& character, int limit) {
  LimitedVertices result;
  for (const Mesh& mesh : character.meshes) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const int count = static_cast<int>(influencesOf(mesh, v).size());
      if (count <= limit) continue;
      result.mostInfluences = std::max(result.mostInfluences, count);
      append(result.all, mesh, v, 0);
      append(result.limited, mesh, v, limit);
    }
  }
  return result;
}

glm::vec3 posedVertex(const VertexSet& set, std::size_t index,
                      std::span<const glm::mat4> skinMatrices) {
  const glm::vec3& v = set.positions[index];
  glm::vec4 sum(0.0f);
  for (std::uint32_t i = set.starts[index]; i < set.starts[index + 1]; ++i) {
    const glm::mat4& m = skinMatrices[set.skinJoints[i]];
    sum += set.weights[i] * (m[0] * v.x + m[1] * v.y + m[2] * v.z + m[3]);
  }
  return glm::vec3(sum);
}

}  // namespace ck
