#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/detail/point_set.h"

namespace ck {

// The treatment of the lines along which texture coordinates or colours jump within a mesh.
enum class Seams {
  Kept,     // they stay where they are, as far as a coarser line can follow
  Crossed,  // they are smoothed over like any other edge, which can smear the texture there
};

// Takes triangles away from surfaces of a character, by collapsing edges in the order of the error
// that meshoptimizer computes from the positions of a shape. The vertices of the result are
// vertices of the character. Borders between meshes stay closed, and so do seams: the triangles on
// both sides end at the same points. Immutable; threads share it.
class Simplifier {
 public:
  // `points` and `whole` are those of `character`, as unmorphed() makes it. `points` must outlive
  // this object.
  Simplifier(const Character& character, const PointSet& points, const Surface& whole);

  struct Wish {
    std::size_t triangles = 0;         // about so many are left, more if the form needs them
    std::span<const glm::vec3> shape;  // one per point: bind positions or those of a pose
    Seams seams = Seams::Kept;
    std::span<const char> kept;  // one per point: not 0 where the point must stay
  };
  // Each corner of the result has some vertex of its mesh and point; dressed() finds the best one.
  // A mesh never loses its last triangles: it then keeps those of `from`. Nothing if a triangle
  // would have corners of several meshes.
  std::optional<Surface> simplified(const Surface& from, const Wish& wish) const;

  // The result of simplified(), made with the same `seams`, with the vertices that it is drawn
  // with. Of the vertices at a corner's point, that on the triangle's own side of a seam is taken,
  // and of these the one whose normal is nearest to the triangle's in bind space.
  Surface dressed(const Surface& surface, Seams seams) const;

 private:
  // Numbers vertices by what they have in common.
  struct Grouping {
    std::vector<std::uint32_t> groupOf;   // one per vertex
    std::vector<std::uint32_t> vertexOf;  // one per group: a vertex of it
  };
  using Corners = std::array<std::uint32_t, 3>;

  void findCharts(const Surface& whole);
  void findSiblings(const Surface& whole);
  std::vector<std::uint32_t> reduced(const Surface& from, const Wish& wish) const;
  std::optional<std::uint32_t> inMesh(std::uint32_t corner, std::uint32_t mesh) const;
  std::optional<Corners> inOneMesh(const Corners& corners) const;
  std::vector<std::uint32_t> choices(std::uint32_t corner, Seams seams) const;
  Corners dressed(const Corners& corners, Seams seams) const;
  float unlikeness(std::uint32_t a, std::uint32_t b) const;

  const PointSet& points_;
  std::vector<std::uint32_t> meshes_;  // the mesh of every vertex
  std::vector<glm::vec3> normals_;     // of every vertex
  std::vector<glm::vec2> uvs_;         // of every vertex; 0 without
  Grouping bySurface_;                 // same mesh, point, texture coordinates and colour
  Grouping byMesh_;                    // same mesh and point
  // The connected part of the texture that a group of bySurface_ lies in.
  std::vector<std::uint32_t> charts_;
  // The vertices that triangles use, group by group of byMesh_.
  std::vector<std::uint32_t> siblingStarts_;
  std::vector<std::uint32_t> siblings_;
  std::vector<std::vector<std::uint32_t>> atPoint_;  // the groups of byMesh_ that are in use
};

}  // namespace ck
