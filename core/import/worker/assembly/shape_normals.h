#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "core/scene/mesh.h"

namespace ck::worker {

// The origin of a mesh's normals.
enum class NormalsFrom {
  Computed,  // computed by computeNormals(): one normal per position, triangles weighted by area
  // From the file: hard edges are kept, and triangles are weighted by the angle at the vertex, as
  // modelling programs do.
  File,
};

// Computes normal deltas of morph targets if the file has none. Each normal is rotated like the
// surface around its vertex, which also affects neighbours of moved vertices.
class ShapeNormals {
 public:
  // `mesh` must have positions, normals and triangles, and must outlive this object.
  ShapeNormals(const Mesh& mesh, NormalsFrom from);

  // Sets target.normalDeltas. May add vertices to the target.
  void add(MorphTarget& target) const;

 private:
  std::vector<glm::vec3> surfaceNormals(const std::vector<glm::vec3>& positions) const;

  const Mesh& mesh_;
  NormalsFrom from_;
  std::vector<std::uint32_t> pointOf_;  // one per vertex
  std::size_t pointCount_ = 0;
  std::vector<glm::vec3> atRest_;  // one per point; 0 if no triangle at the point has an area
};

}  // namespace ck::worker
