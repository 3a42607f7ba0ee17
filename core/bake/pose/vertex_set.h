#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Vertices of a character with their influences in flat arrays, for posing many times. Float
// precision (1e-6 of the distance from the origin) is sufficient for boxes and error figures.
struct VertexSet {
  std::vector<glm::vec3> positions;
  std::vector<std::uint32_t> starts;  // positions.size() + 1
  std::vector<std::uint32_t> skinJoints;
  std::vector<float> weights;

  std::size_t size() const { return positions.size(); }
};

// The same for vertices that are alike in position and influences.
std::uint64_t vertexHash(const Mesh& mesh, std::size_t vertex);

// The vertices without duplicates in position and influences, sorted by joint.
VertexSet distinctVertices(const Character& character);

// Neighbouring vertices of a set, with their box in bind space and all joints that influence them.
struct VertexCluster {
  std::size_t first = 0;
  std::size_t count = 0;
  glm::vec3 center{0.0f};
  glm::vec3 halfExtent{0.0f};
  std::vector<std::uint32_t> skinJoints;
};
std::vector<VertexCluster> clustersOf(const VertexSet& set, std::size_t verticesEach = 32);

// The exact box of all posed vertices, accumulated over poses (LaneVertices).
struct PosedBox {
  glm::vec3 low{0.0f};
  glm::vec3 high{0.0f};
  bool empty = true;
};

// The vertices with more than `limit` influences: with all influences, and with the `limit`
// heaviest.
struct LimitedVertices {
  VertexSet all;
  VertexSet limited;
  int mostInfluences = 0;
};
LimitedVertices overLimit(const Character& character, int limit);

}  // namespace ck
