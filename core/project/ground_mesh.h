#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "core/project/props.h"

namespace ck {

// The surface of a prop as the ground that actors stand on: of all its triangles the highest above
// a place, whichever way they wind. Metres, in world space. Immutable; a place is found by the
// squares of a grid over the ground.
class GroundMesh {
 public:
  // `shape` as readPropShape() gives it, placed as the prop is.
  GroundMesh(const Character& shape, const Prop& prop);

  // The height of the surface above or below (x, z); nothing beside it.
  std::optional<double> heightAt(const glm::dvec2& place) const;
  // The height of the surface at its place nearest to (x, z); 0 without any surface.
  double nearestHeight(const glm::dvec2& place) const;
  // Where a ray meets the surface first; nothing if it does not. `direction` has any length.
  std::optional<glm::dvec3> hit(const glm::dvec3& origin, const glm::dvec3& direction) const;

 private:
  struct Triangle {
    glm::dvec3 a;
    glm::dvec3 b;
    glm::dvec3 c;
  };
  void sort();
  void divide();
  std::size_t countEntries() const;
  int columnOf(double x) const;
  int rowOf(double z) const;
  std::size_t squareAt(int column, int row) const;
  // Calls `visit` with each square that a triangle may lie over.
  template <class Visit>
  void visitSquares(const Triangle& triangle, Visit visit) const;
  template <class Visit>
  void visitSquare(std::size_t square, Visit visit) const;

  std::vector<Triangle> triangles_;  // those that are not upright
  glm::dvec2 low_{0.0};              // of the surface, x and z
  glm::dvec2 high_{0.0};
  double squareMeters_ = 1.0;
  int columns_ = 1;
  int rows_ = 1;
  // The triangles over square s are inSquares_[starts_[s] .. starts_[s + 1]).
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> inSquares_;
};
using GroundMeshPtr = std::shared_ptr<const GroundMesh>;

}  // namespace ck
