#include "core/project/ground_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/crowd/formations.h"

namespace ck {
namespace {

constexpr double kMostSquaresASide = 1024.0;
constexpr std::size_t kMostEntries = 8;  // of a triangle, on average over all of them
// Barycentric, so that no place falls between two triangles that share an edge.
constexpr double kEdge = 1e-9;

glm::dvec2 onGround(const glm::dvec3& point) {
  return {point.x, point.z};
}

double cross(const glm::dvec2& a, const glm::dvec2& b) {
  return a.x * b.y - a.y * b.x;
}

// The weights of three corners at a place; none is negative inside.
glm::dvec3 weightsAt(const glm::dvec2& place, const glm::dvec2& a, const glm::dvec2& b,
                     const glm::dvec2& c) {
  const double area = cross(b - a, c - a);
  const double ofB = cross(place - a, c - a) / area;
  const double ofC = cross(b - a, place - a) / area;
  return {1.0 - ofB - ofC, ofB, ofC};
}

bool isInside(const glm::dvec3& weights) {
  return std::min({weights.x, weights.y, weights.z}) >= -kEdge;
}

struct GroundBox {
  double left, right, back, front;
};

template <class Triangle>
GroundBox groundBoxOf(const Triangle& triangle) {
  const auto& [a, b, c] = triangle;
  const auto [left, right] = std::minmax({a.x, b.x, c.x});
  const auto [back, front] = std::minmax({a.z, b.z, c.z});
  return {left, right, back, front};
}

struct Nearest {
  double square = std::numeric_limits<double>::infinity();  // of the distance on the ground
  double height = 0.0;
};

void lookAtEdge(Nearest& best, const glm::dvec2& place, const glm::dvec3& from,
                const glm::dvec3& to) {
  const glm::dvec2 way = onGround(to) - onGround(from);
  const double along = std::clamp(
      glm::dot(place - onGround(from), way) / std::max(glm::dot(way, way), 1e-300), 0.0, 1.0);
  const glm::dvec3 at = from + (to - from) * along;
  const glm::dvec2 apart = onGround(at) - place;
  const double square = glm::dot(apart, apart);
  if (square > best.square || (square == best.square && at.y <= best.height)) return;
  best = {square, at.y};
}

}  // namespace

GroundMesh::GroundMesh(const Character& shape, const Prop& prop) {
  const glm::dvec2 turn = onCircle(static_cast<double>(prop.yawDegrees) / 360.0);
  const auto placed = [&](const glm::vec3& point) {
    const glm::dvec3 scaled = glm::dvec3(point) * static_cast<double>(prop.scale);
    return glm::dvec3(prop.position) + glm::dvec3(scaled.x * turn.y + scaled.z * turn.x, scaled.y,
                                                  scaled.z * turn.y - scaled.x * turn.x);
  };
  for (const Mesh& mesh : shape.meshes) {
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const Triangle triangle{placed(mesh.positions[mesh.indices[i]]),
                              placed(mesh.positions[mesh.indices[i + 1]]),
                              placed(mesh.positions[mesh.indices[i + 2]])};
      const glm::dvec2 a = onGround(triangle.a);
      const double area = cross(onGround(triangle.b) - a, onGround(triangle.c) - a);
      if (std::abs(area) > 1e-12) triangles_.push_back(triangle);
    }
  }
  sort();
}

void GroundMesh::sort() {
  if (triangles_.empty()) {
    starts_ = {0, 0};
    return;
  }
  low_ = high_ = onGround(triangles_.front().a);
  for (const Triangle& t : triangles_) {
    for (const glm::dvec3& corner : {t.a, t.b, t.c}) {
      low_ = glm::min(low_, onGround(corner));
      high_ = glm::max(high_, onGround(corner));
    }
  }
  divide();
  starts_.assign(squareAt(0, rows_) + 1, 0);
  for (const Triangle& t : triangles_) {
    visitSquares(t, [this](std::size_t square) { ++starts_[square + 1]; });
  }
  for (std::size_t s = 1; s < starts_.size(); ++s) starts_[s] += starts_[s - 1];
  inSquares_.resize(starts_.back());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    visitSquares(triangles_[i], [&](std::size_t square) {
      inSquares_[next[square]++] = static_cast<std::uint32_t>(i);
    });
  }
}

// About as many squares as triangles, or fewer where the triangles lie over many of them.
void GroundMesh::divide() {
  const glm::dvec2 size = high_ - low_;
  const double squares = static_cast<double>(triangles_.size());
  squareMeters_ = std::max({std::sqrt(size.x * size.y / squares), size.x / kMostSquaresASide,
                            size.y / kMostSquaresASide, 1e-6});
  while (true) {
    columns_ = static_cast<int>(size.x / squareMeters_) + 1;
    rows_ = static_cast<int>(size.y / squareMeters_) + 1;
    if (columns_ == 1 && rows_ == 1) return;
    if (countEntries() <= kMostEntries * triangles_.size()) return;
    squareMeters_ *= 2.0;
  }
}

std::size_t GroundMesh::countEntries() const {
  std::size_t count = 0;
  for (const Triangle& t : triangles_) {
    const auto [left, right, back, front] = groundBoxOf(t);
    count += static_cast<std::size_t>(columnOf(right) - columnOf(left) + 1) *
             static_cast<std::size_t>(rowOf(front) - rowOf(back) + 1);
  }
  return count;
}

template <class Visit>
void GroundMesh::visitSquares(const Triangle& triangle, Visit visit) const {
  const auto [left, right, back, front] = groundBoxOf(triangle);
  const int lastRow = rowOf(front);
  const int lastColumn = columnOf(right);
  for (int row = rowOf(back); row <= lastRow; ++row) {
    for (int column = columnOf(left); column <= lastColumn; ++column) visit(squareAt(column, row));
  }
}

int GroundMesh::columnOf(double x) const {
  return static_cast<int>(std::clamp((x - low_.x) / squareMeters_, 0.0, columns_ - 1.0));
}

int GroundMesh::rowOf(double z) const {
  return static_cast<int>(std::clamp((z - low_.y) / squareMeters_, 0.0, rows_ - 1.0));
}

std::size_t GroundMesh::squareAt(int column, int row) const {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
         static_cast<std::size_t>(column);
}

template <class Visit>
void GroundMesh::visitSquare(std::size_t square, Visit visit) const {
  for (std::size_t i = starts_[square]; i < starts_[square + 1]; ++i) {
    visit(triangles_[inSquares_[i]]);
  }
}

std::optional<double> GroundMesh::heightAt(const glm::dvec2& place) const {
  std::optional<double> highest;
  if (place.x < low_.x || place.x > high_.x || place.y < low_.y || place.y > high_.y) {
    return highest;
  }
  visitSquare(squareAt(columnOf(place.x), rowOf(place.y)), [&](const Triangle& t) {
    const glm::dvec3 weights = weightsAt(place, onGround(t.a), onGround(t.b), onGround(t.c));
    if (!isInside(weights)) return;
    const double height = glm::dot(weights, glm::dvec3(t.a.y, t.b.y, t.c.y));
    if (!highest || height > *highest) highest = height;
  });
  return highest;
}

double GroundMesh::nearestHeight(const glm::dvec2& place) const {
  if (const auto height = heightAt(place)) return *height;
  Nearest best;
  const glm::dvec2 nearest = glm::clamp(place, low_, high_);
  const int column = columnOf(nearest.x);
  const int row = rowOf(nearest.y);
  // From a place beside the box, all of it lies behind the box's nearest point: the distances add
  // up as the sides of a right angle at least.
  const double beside = glm::dot(place - nearest, place - nearest);
  // Rings of squares around the nearest one, until those farther out cannot have it.
  for (int ring = 0; ring < std::max(columns_, rows_); ++ring) {
    const double least = (ring - 1) * squareMeters_;
    if (least > 0.0 && least * least + beside > best.square) break;
    for (int z = std::max(row - ring, 0); z <= std::min(row + ring, rows_ - 1); ++z) {
      const bool whole = z == row - ring || z == row + ring;
      const int step = whole || ring == 0 ? 1 : 2 * ring;
      for (int x = column - ring; x <= column + ring; x += step) {
        if (x < 0 || x >= columns_) continue;
        visitSquare(squareAt(x, z), [&](const Triangle& t) {
          lookAtEdge(best, place, t.a, t.b);
          lookAtEdge(best, place, t.b, t.c);
          lookAtEdge(best, place, t.c, t.a);
        });
      }
    }
  }
  return best.height;
}

std::optional<glm::dvec3> GroundMesh::hit(const glm::dvec3& origin,
                                          const glm::dvec3& direction) const {
  if (triangles_.empty()) return std::nullopt;
  // The part of the ray over the surface.
  double from = 0.0;
  double to = std::numeric_limits<double>::infinity();
  const glm::dvec2 start = onGround(origin);
  const glm::dvec2 way = onGround(direction);
  for (int axis = 0; axis < 2; ++axis) {
    if (std::abs(way[axis]) < 1e-12) {
      if (start[axis] < low_[axis] || start[axis] > high_[axis]) return std::nullopt;
      continue;
    }
    const double one = (low_[axis] - start[axis]) / way[axis];
    const double other = (high_[axis] - start[axis]) / way[axis];
    from = std::max(from, std::min(one, other));
    to = std::min(to, std::max(one, other));
  }
  if (from > to) return std::nullopt;
  double nearest = std::numeric_limits<double>::infinity();
  const auto look = [&](const Triangle& t) {
    // Moeller and Trumbore 1997.
    const glm::dvec3 ab = t.b - t.a;
    const glm::dvec3 ac = t.c - t.a;
    const glm::dvec3 p = glm::cross(direction, ac);
    const double size = glm::dot(ab, p);
    if (std::abs(size) < 1e-18) return;
    const glm::dvec3 s = origin - t.a;
    const glm::dvec3 q = glm::cross(s, ab);
    const double ofB = glm::dot(s, p) / size;
    const double ofC = glm::dot(direction, q) / size;
    const double at = glm::dot(ac, q) / size;
    if (at >= 0.0 && isInside({1.0 - ofB - ofC, ofB, ofC})) nearest = std::min(nearest, at);
  };
  // From square to square along the ray (Amanatides and Woo 1987).
  const glm::dvec2 enters = start + way * from;
  int square[2] = {columnOf(enters.x), rowOf(enters.y)};
  const int count[2] = {columns_, rows_};
  double next[2];  // where the ray leaves the square on each axis
  double each[2];
  int step[2];
  for (int axis = 0; axis < 2; ++axis) {
    step[axis] = way[axis] >= 0.0 ? 1 : -1;
    next[axis] = each[axis] = std::numeric_limits<double>::infinity();
    if (std::abs(way[axis]) < 1e-12) continue;
    const double edge = low_[axis] + (square[axis] + (step[axis] > 0 ? 1 : 0)) * squareMeters_;
    next[axis] = (edge - start[axis]) / way[axis];
    each[axis] = squareMeters_ / std::abs(way[axis]);
  }
  while (square[0] >= 0 && square[0] < count[0] && square[1] >= 0 && square[1] < count[1]) {
    visitSquare(squareAt(square[0], square[1]), look);
    const int axis = next[0] < next[1] ? 0 : 1;
    // A square that lies farther along the ray cannot come first.
    if (nearest <= next[axis] || next[axis] > to) break;
    square[axis] += step[axis];
    next[axis] += each[axis];
  }
  if (!std::isfinite(nearest)) return std::nullopt;
  return origin + direction * nearest;
}

}  // namespace ck
