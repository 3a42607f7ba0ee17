#pragma once

#include <functional>
#include <vector>

#include "core/base/job.h"
#include "core/detail/point_set.h"
#include "core/detail/surface_tree.h"

namespace ck {

// Positions of all points of a PointSet in a pose, by its number. The result is valid until the
// next call with the same `scratch`. May be called from several threads, each with its scratch.
using PosedPoints =
    std::function<std::span<const glm::vec3>(std::size_t pose, std::vector<glm::vec3>& scratch)>;

// How far a whole surface is from a simplified one whose vertices are some of its own. Distances go
// from the points of a mesh to the triangles of the same mesh.
class SurfaceError {
 public:
  // `whole` and `level` are surfaces of the same character, with at least one triangle in `level`
  // for every mesh that has one in `whole`. No argument is needed afterwards. The object is of no
  // use if the job is stopped.
  SurfaceError(const PointSet& points, const Surface& whole, const Surface& level,
               const JobContext& job);

  // The largest distance of a point of the whole surface, posed by `whole`, from the simplified
  // surface, posed by `level`, over the poses 0 .. poseCount - 1. Exact but for rounding to float:
  // a place that is near in bind space gives an upper bound in every pose, and where this is above
  // what was found so far, the nearest triangle of that pose is searched. Metres. The result
  // is of no use if the job is stopped.
  double largest(const PosedPoints& whole, const PosedPoints& level, std::size_t poseCount,
                 const JobContext& job);

  // The points of the whole surface, ascending, that are farther than `meters` from the simplified
  // one in any of the poses.
  std::vector<std::uint32_t> farther(const PosedPoints& whole, const PosedPoints& level,
                                     std::size_t poseCount, double meters);

  // For every point of the whole surface the corner of the simplified one that is nearest to it, of
  // the triangle that is nearest in bind space. One per point of the PointSet; itself where it is
  // in neither surface.
  std::vector<std::uint32_t> nearestCorners(const PointSet& points) const;

 private:
  // A point of a mesh and a place on the simplified surface that it is near to in bind space.
  struct Tie {
    std::uint32_t point = 0;
    std::uint32_t mesh = 0;
    std::uint32_t corners[3] = {};  // points
    glm::vec3 weights{0.0f};
  };
  void tieMesh(const PointSet& points, std::uint32_t mesh, const Surface& whole,
               const Surface& level, const JobContext& job);
  static const std::uint32_t* nearestTriangle(const SurfaceTree& tree, const PointSet& points,
                                              std::span<const std::uint32_t> corners,
                                              const std::uint32_t* hint, Tie& tie);
  static float square(const Tie& tie, std::span<const glm::vec3> whole,
                      std::span<const glm::vec3> level);
  float largestSquare(std::span<const glm::vec3> whole, std::span<const glm::vec3> level,
                      float atLeast);

  std::vector<SurfaceTree> trees_;  // one per mesh
  std::vector<Tie> ties_;
};

}  // namespace ck
