#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/import/worker/fbx/fbx_scene.h"

namespace ck::worker {

// A mesh of the file: polygons of control points, with attributes of their corners.
struct FbxPolygons {
  std::vector<glm::dvec3> points;      // control points
  std::vector<std::uint32_t> corners;  // control points of all polygons, one after the other
  std::vector<std::uint32_t> starts;   // of each polygon in `corners`, and the end
  std::vector<glm::vec3> normals;      // one per corner, or empty
  std::vector<glm::vec4> tangents;     // as Mesh::tangents, one per corner, or empty
  // For each wanted set, the texture coordinates, one per corner, or empty; v runs down the image.
  std::vector<std::vector<glm::vec2>> uvs;
  std::vector<glm::vec4> colors;  // as Mesh::colors, one per corner; empty where all are white
  std::vector<int> materials;     // one per polygon; -1: none
  std::size_t badPolygons = 0;    // left out: fewer than 3 corners or no such point
  bool hasMoreColors = false;     // further sets of vertex colours, which are not read
};

// The parts of a mesh that are read besides its polygons and normals.
struct FbxWanted {
  bool tangents = false;
  // The names of sets of texture coordinates. Without a set of that name, and for an empty name, it
  // is the first set of the mesh.
  std::vector<std::string_view> uvSets;
};

// Reads a Geometry of the kind Mesh. Tangents need normals and binormals of the file, which say
// where the image is mirrored. Vertex colours are taken as sRGB: FBX does not say, and Blender,
// Maya and 3ds Max write them as they are seen. Fails with InvalidInput if a control point is not a
// number, and with LimitExceeded for more than 20 million points or 60 million corners.
Result<FbxPolygons> readFbxPolygons(const FbxObject& geometry, const FbxWanted& wanted);

// Cuts polygons into triangles. Memory for one is kept for the next.
class FbxTriangles {
 public:
  // The triangles of one polygon, as three places in [0, count) each: a fan where the polygon is
  // convex, else ears cut from it (D. Eberly, "Triangulation by Ear Clipping", 2008). Valid until
  // the next call.
  const std::vector<std::uint32_t>& of(const FbxPolygons& mesh, std::size_t polygon);

 private:
  void cutEars(const glm::dvec3& up);

  std::vector<glm::dvec3> points_;
  std::vector<std::uint32_t> left_;  // of the places, in order
  std::vector<std::uint32_t> triangles_;
};

}  // namespace ck::worker
