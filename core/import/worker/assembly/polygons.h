#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <map>
#include <utility>
#include <vector>

#include "core/scene/mesh.h"

namespace ck::worker {

// A mesh as modelling programs keep it: polygons of control points, with attributes of their
// corners.
struct Polygons {
  std::vector<glm::dvec3> points;      // control points
  std::vector<std::uint32_t> corners;  // control points of all polygons, one after the other
  std::vector<std::uint32_t> starts;   // of each polygon in `corners`, and the end
  std::vector<glm::vec3> normals;      // one per corner, or empty
  std::vector<glm::vec4> tangents;     // as Mesh::tangents, one per corner, or empty
  // For each set that is read, the texture coordinates, one per corner, or empty; v runs down the
  // image.
  std::vector<std::vector<glm::vec2>> uvs;
  std::vector<glm::vec4> colors;  // as Mesh::colors, one per corner; empty where all are white
  std::vector<int> materials;     // one per polygon; -1: none
};

// Cuts polygons into triangles. Memory for one is kept for the next.
class PolygonCutter {
 public:
  // The triangles of one polygon, as three positions in [0, count) each: a fan where the polygon is
  // convex, else ears cut from it (D. Eberly, "Triangulation by Ear Clipping", 2008). Valid until
  // the next call.
  const std::vector<std::uint32_t>& trianglesOf(const Polygons& mesh, std::size_t polygon);

 private:
  void cutEars(const glm::dvec3& up);

  std::vector<glm::dvec3> points_;
  std::vector<std::uint32_t> left_;  // of the positions, in order
  std::vector<std::uint32_t> triangles_;
};

// A part of a mesh that has one material, with the control point of each vertex.
struct MeshPart {
  Mesh mesh;
  std::vector<std::uint32_t> points;
};

// Splits a mesh by the materials of its polygons, the keys of the result. Corners of one control
// point with the same attributes, to the bit, become one vertex. `uvSets`: of a material, the two
// sets of texture coordinates that it uses, into Polygons::uvs, or -1.
std::map<int, MeshPart> splitByMaterial(const Polygons& polygons,
                                        const std::function<std::pair<int, int>(int)>& uvSets);

// Computes the normals of all parts as of one mesh, so that none has an edge where the material
// changes.
void computeNormals(std::map<int, MeshPart>& parts);

// Gives the vertices of a part the influences of their control points: `influences` from
// starts[point] to starts[point + 1].
void addInfluences(const std::vector<std::uint32_t>& starts,
                   const std::vector<Influence>& influences, MeshPart& part);

}  // namespace ck::worker
