#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "core/scene/mesh.h"

namespace ck::worker {

// Where a mesh has its normals from.
enum class NormalsFrom {
  Computed,  // computeNormals(): one normal a position, triangles weighted by area
  File,      // edges between different normals stay, triangles count by the angle at the vertex, as
             // modelling programs weigh them
};

// What shapes do to the normals of a mesh whose file does not say it: each normal turns as that of
// the surface around its vertex does. Neighbours of what moves turn, too.
class ShapeNormals {
 public:
  // `mesh` has positions, normals and triangles and must outlive it.
  ShapeNormals(const Mesh& mesh, NormalsFrom from);

  // Fills in target.normalDeltas, for which further vertices may be added to the target.
  void add(MorphTarget& target) const;

 private:
  std::vector<glm::vec3> surfaceNormals(const std::vector<glm::vec3>& positions) const;

  const Mesh& mesh_;
  NormalsFrom from_;
  std::vector<std::uint32_t> pointOf_;  // of every vertex
  std::size_t pointCount_ = 0;
  std::vector<glm::vec3> atRest_;  // of every point; 0 where no triangle has an area
};

}  // namespace ck::worker
