#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "core/scene/mesh.h"

namespace ck::worker {

// The points of a mesh's surface, numbered in the order of their first vertices. Vertices are at
// one point if their positions and, where asked, normals and these texture coordinates have the
// same bits (0 and -0 are equal).
struct SurfacePoints {
  std::vector<std::uint32_t> ofVertex;
  std::size_t count = 0;
};
SurfacePoints surfacePoints(const Mesh& mesh, bool byNormal, const std::vector<glm::vec2>* uvs);

// The unit vector along `vector`; nothing if it has no length.
std::optional<glm::vec3> direction(const glm::vec3& vector);

// Computes unit normals for meshes without normals. They are smooth over all triangles that share a
// position, weighted by area. No vertices are merged. Vertices without triangles get +Y.
void computeNormals(Mesh& mesh);

// Gives normals to the vertices whose normal in `mesh` is the zero vector, as computeNormals()
// would. The others keep theirs.
void completeNormals(Mesh& mesh);

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
  const Mesh& mesh_;
  NormalsFrom from_;
  SurfacePoints points_;
  std::vector<glm::vec3> atRest_;  // one per point; 0 if no triangle at the point has an area
};

}  // namespace ck::worker
