#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <limits>
#include <span>
#include <vector>

namespace ck {

// Finds the nearest point of a surface of triangles, by a tree of boxes around them. The same tree
// serves all poses of the surface. In float: distances are exact to about 1e-6 of the distance from
// the origin.
class SurfaceTree {
 public:
  // `corners`: three indices into `positions` per triangle.
  SurfaceTree(std::span<const glm::vec3> positions, std::span<const std::uint32_t> corners);

  // Moves the triangles to other positions, in the order of the constructor's.
  void pose(std::span<const glm::vec3> positions);

  // The square of the diagonal of the box around all triangles; 0 without any.
  float squaredSize() const;

  struct Nearest {
    static constexpr std::uint32_t kNone = ~0u;
    std::uint32_t triangle = kNone;                         // in the order of `corners`
    glm::vec3 weights{0.0f};                                // of its corners; they sum to 1
    float square = std::numeric_limits<float>::infinity();  // of the distance
  };
  // The nearest point of all triangles. Triangles are skipped whose squared distance is not below
  // `within`; if that skips all, the result has no triangle and the square `within`. Where only
  // distances above a limit matter, `enough` is its square: the search may end with any point that
  // is as near.
  Nearest nearest(const glm::vec3& point, float within = std::numeric_limits<float>::infinity(),
                  float enough = 0.0f) const;

 private:
  struct Triangle {
    std::uint32_t number = 0;
    std::uint32_t corners[3] = {};
    glm::vec3 at[3];
  };
  // The first child of a node that is no leaf is the next node.
  struct Node {
    glm::vec3 low{0.0f};
    glm::vec3 high{0.0f};
    std::uint32_t first = 0;   // leaf: into triangles_
    std::uint32_t count = 0;   // leaf: number of triangles; otherwise 0
    std::uint32_t second = 0;  // the other child
  };

  void divide(std::span<const glm::vec3> centers, std::uint32_t first, std::uint32_t end);
  void fitBoxes();

  std::vector<Triangle> triangles_;  // leaf by leaf
  std::vector<Node> nodes_;
};

}  // namespace ck
