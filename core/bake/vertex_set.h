#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Vertices of a character with their influences, flat, for posing many times. Float: 1e-6 of the
// distance from the origin is enough for boxes and figures.
struct VertexSet {
  std::vector<glm::vec3> positions;
  std::vector<std::uint32_t> starts;  // positions.size() + 1
  std::vector<std::uint32_t> skinJoints;
  std::vector<float> weights;

  std::size_t size() const { return positions.size(); }
};

// Every `stride`-th vertex over all meshes, with all influences, or the `limit` heaviest where > 0.
VertexSet everyVertex(const Character& character, std::size_t stride, int limit);

// Vertices that differ in position or influences, each once, those of one joint side by side.
VertexSet distinctVertices(const Character& character);

// Some neighbouring vertices of a set, with a box in bind space and every joint that pulls on them.
struct VertexCluster {
  std::size_t first = 0;
  std::size_t count = 0;
  glm::vec3 center{0.0f};
  glm::vec3 halfExtent{0.0f};
  std::vector<std::uint32_t> skinJoints;
};
std::vector<VertexCluster> clustersOf(const VertexSet& set);

// A box that grows: exactly the box of all posed vertices, but clusters that cannot reach beyond
// what it holds already are passed over.
struct PosedBox {
  glm::vec3 low{0.0f};
  glm::vec3 high{0.0f};
  bool empty = true;
  void grow(const VertexSet& set, std::span<const VertexCluster> clusters,
            std::span<const glm::mat4> skinMatrices);
};

// Those with more than `limit` influences: once with all and once with the `limit` heaviest.
struct LimitedVertices {
  VertexSet all;
  VertexSet limited;
  int mostInfluences = 0;
};
LimitedVertices overLimit(const Character& character, int limit);

// Where skin matrices put vertex `index`.
glm::vec3 posedVertex(const VertexSet& set, std::size_t index,
                      std::span<const glm::mat4> skinMatrices);

}  // namespace ck
