#include "core/detail/surface_tree.h"

#include <algorithm>
#include <array>

namespace ck {
namespace {

constexpr std::uint32_t kLeafTriangles = 4;

// The squared distance of a point from a box; 0 inside.
float squareToBox(const glm::vec3& point, const glm::vec3& low, const glm::vec3& high) {
  const glm::vec3 outside = glm::max(glm::max(low - point, point - high), glm::vec3(0.0f));
  return glm::dot(outside, outside);
}

// The weights of the two ends of the edge's nearest point.
float along(const glm::vec3& point, const glm::vec3& from, const glm::vec3& to) {
  const glm::vec3 edge = to - from;
  const float square = glm::dot(edge, edge);
  if (square <= 0.0f) return 0.0f;
  return std::clamp(glm::dot(point - from, edge) / square, 0.0f, 1.0f);
}

// The weights of the corners of the triangle's point nearest to `p`: the foot of the perpendicular,
// or the nearest of the edges' nearest points.
glm::vec3 nearestWeights(const glm::vec3& p, const glm::vec3 (&at)[3]) {
  const glm::vec3 ab = at[1] - at[0];
  const glm::vec3 ac = at[2] - at[0];
  const glm::vec3 normal = glm::cross(ab, ac);
  const float area = glm::dot(normal, normal);
  if (area > 0.0f) {
    const glm::vec3 ap = p - at[0];
    const float b = glm::dot(glm::cross(ap, ac), normal) / area;
    const float c = glm::dot(glm::cross(ab, ap), normal) / area;
    if (b >= 0.0f && c >= 0.0f && b + c <= 1.0f) return {1.0f - b - c, b, c};
  }
  glm::vec3 best(0.0f);
  float bestSquare = std::numeric_limits<float>::infinity();
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    const float share = along(p, at[i], at[next]);
    const glm::vec3 apart = p - (at[i] + (at[next] - at[i]) * share);
    const float square = glm::dot(apart, apart);
    if (!(square < bestSquare)) continue;
    bestSquare = square;
    best = glm::vec3(0.0f);
    best[i] = 1.0f - share;
    best[next] = share;
  }
  return best;
}

}  // namespace

SurfaceTree::SurfaceTree(std::span<const glm::vec3> positions,
                         std::span<const std::uint32_t> corners) {
  std::vector<glm::vec3> centers;
  for (std::uint32_t t = 0; t < corners.size() / 3; ++t) {
    Triangle triangle;
    triangle.number = t;
    for (std::size_t i = 0; i < 3; ++i) triangle.corners[i] = corners[std::size_t{t} * 3 + i];
    triangles_.push_back(triangle);
    centers.push_back(positions[triangle.corners[0]] + positions[triangle.corners[1]] +
                      positions[triangle.corners[2]]);
  }
  if (!triangles_.empty()) divide(centers, 0, static_cast<std::uint32_t>(triangles_.size()));
  pose(positions);
}

void SurfaceTree::divide(std::span<const glm::vec3> centers, std::uint32_t first,
                         std::uint32_t end) {
  const std::size_t node = nodes_.size();
  nodes_.push_back({.first = first});
  if (end - first <= kLeafTriangles) {
    nodes_[node].count = end - first;
    return;
  }
  glm::vec3 low = centers[triangles_[first].number];
  glm::vec3 high = low;
  for (std::uint32_t t = first + 1; t < end; ++t) {
    low = glm::min(low, centers[triangles_[t].number]);
    high = glm::max(high, centers[triangles_[t].number]);
  }
  const glm::vec3 size = high - low;
  int axis = size.y > size.x ? 1 : 0;
  if (size.z > size[axis]) axis = 2;
  const std::uint32_t middle = first + (end - first) / 2;
  const auto at = [this](std::uint32_t t) {
    return triangles_.begin() + static_cast<std::ptrdiff_t>(t);
  };
  std::nth_element(at(first), at(middle), at(end), [&](const Triangle& a, const Triangle& b) {
    const float one = centers[a.number][axis];
    const float other = centers[b.number][axis];
    return one < other || (one == other && a.number < b.number);
  });
  divide(centers, first, middle);
  nodes_[node].second = static_cast<std::uint32_t>(nodes_.size());
  divide(centers, middle, end);
}

void SurfaceTree::pose(std::span<const glm::vec3> positions) {
  for (Triangle& triangle : triangles_) {
    for (std::size_t i = 0; i < 3; ++i) triangle.at[i] = positions[triangle.corners[i]];
  }
  fitBoxes();
}

// Children come after their parents.
void SurfaceTree::fitBoxes() {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (node.count == 0) {
      node.low = glm::min(nodes_[n + 1].low, nodes_[node.second].low);
      node.high = glm::max(nodes_[n + 1].high, nodes_[node.second].high);
      continue;
    }
    node.low = node.high = triangles_[node.first].at[0];
    for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
      for (const glm::vec3& corner : triangles_[t].at) {
        node.low = glm::min(node.low, corner);
        node.high = glm::max(node.high, corner);
      }
    }
  }
}

float SurfaceTree::squaredSize() const {
  if (nodes_.empty()) return 0.0f;
  const glm::vec3 size = nodes_.front().high - nodes_.front().low;
  return glm::dot(size, size);
}

SurfaceTree::Nearest SurfaceTree::nearest(const glm::vec3& point, float within,
                                          float enough) const {
  Nearest best;
  best.square = within;
  if (nodes_.empty()) return best;
  struct Open {
    std::uint32_t node;
    float square;
  };
  // Halving 2^32 triangles needs at most 32 open nodes.
  std::array<Open, 64> open;
  std::size_t count = 0;
  open[count++] = {0, squareToBox(point, nodes_[0].low, nodes_[0].high)};
  while (count > 0 && best.square > enough) {
    const Open next = open[--count];
    if (next.square >= best.square) continue;
    const Node& node = nodes_[next.node];
    if (node.count == 0) {
      const std::uint32_t children[2] = {next.node + 1, node.second};
      float squares[2];
      for (int i = 0; i < 2; ++i) {
        squares[i] = squareToBox(point, nodes_[children[i]].low, nodes_[children[i]].high);
      }
      const int near = squares[1] < squares[0] ? 1 : 0;
      open[count++] = {children[1 - near], squares[1 - near]};
      open[count++] = {children[near], squares[near]};
      continue;
    }
    for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
      const Triangle& triangle = triangles_[t];
      const glm::vec3 weights = nearestWeights(point, triangle.at);
      const glm::vec3 apart = point - (weights.x * triangle.at[0] + weights.y * triangle.at[1] +
                                       weights.z * triangle.at[2]);
      const float square = glm::dot(apart, apart);
      if (square >= best.square) continue;
      best = {triangle.number, weights, square};
    }
  }
  return best;
}

}  // namespace ck
