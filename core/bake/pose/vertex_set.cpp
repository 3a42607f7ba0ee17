#include "core/bake/pose/vertex_set.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "core/system/files.h"

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

}  // namespace

std::uint64_t vertexHash(const Mesh& mesh, std::size_t vertex) {
  const auto influences = std::as_bytes(influencesOf(mesh, vertex));
  const auto position = std::as_bytes(std::span(&mesh.positions[vertex], 1));
  std::vector<std::byte> bytes(position.begin(), position.end());
  bytes.insert(bytes.end(), influences.begin(), influences.end());
  return hashBytes(bytes);
}

VertexSet distinctVertices(const Character& character) {
  struct Found {
    int skinJoint = 0;  // the heaviest influence
    const Mesh* mesh = nullptr;
    std::size_t vertex = 0;
  };
  std::vector<Found> found;
  std::unordered_set<std::uint64_t> seen;
  for (const Mesh& mesh : character.meshes) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const auto influences = influencesOf(mesh, v);
      if (influences.empty() || !seen.insert(vertexHash(mesh, v)).second) continue;
      found.push_back({influences.front().skinJoint, &mesh, v});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.skinJoint < b.skinJoint; });
  VertexSet set;
  for (const Found& entry : found) append(set, *entry.mesh, entry.vertex, 0);
  return set;
}

std::vector<VertexCluster> clustersOf(const VertexSet& set, std::size_t verticesEach) {
  std::vector<VertexCluster> clusters;
  for (std::size_t first = 0; first < set.size(); first += verticesEach) {
    VertexCluster cluster;
    cluster.first = first;
    cluster.count = std::min(verticesEach, set.size() - first);
    glm::vec3 low = set.positions[first];
    glm::vec3 high = low;
    for (std::size_t v = first; v < first + cluster.count; ++v) {
      low = glm::min(low, set.positions[v]);
      high = glm::max(high, set.positions[v]);
    }
    cluster.center = 0.5f * (low + high);
    cluster.halfExtent = 0.5f * (high - low);
    const auto joints =
        std::span(set.skinJoints)
            .subspan(set.starts[first], set.starts[first + cluster.count] - set.starts[first]);
    cluster.skinJoints.assign(joints.begin(), joints.end());
    std::sort(cluster.skinJoints.begin(), cluster.skinJoints.end());
    cluster.skinJoints.erase(std::unique(cluster.skinJoints.begin(), cluster.skinJoints.end()),
                             cluster.skinJoints.end());
    clusters.push_back(std::move(cluster));
  }
  return clusters;
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

}  // namespace ck
