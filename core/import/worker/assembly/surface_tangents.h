#pragma once

#include <cstddef>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// Fills in the tangents of a mesh whose file has none, along which a normal map lies: at each
// corner of a triangle the direction in which u grows, brought to right angles with the vertex's
// normal, weighed by the angle of that corner, and summed over all corners that agree in place,
// normal and texture coordinates (as MikkTSpace does, M. Mikkelsen, "Simulation of Wrinkled
// Surfaces Revisited", 2008). w is 1 where cross(normal, tangent) points up the picture, that is,
// against v (glTF), and -1 where texture coordinates are mirrored.
//
// Where mirrored triangles meet others at a vertex, that vertex becomes two; the second, with all
// that the first has, goes to the end of the mesh. Returns how many were added. The mesh needs
// positions, normals, texture coordinates and triangles; `influenceStarts` is complete.
std::size_t makeTangents(Mesh& mesh);

// Makes them for all meshes that show a normal map, and notes it (TangentsComputed); a mesh without
// texture coordinates loses the tangents it came with and is noted as shaded without its map
// (NormalMapUnused). The meshes are in model space and named.
void completeTangents(SourceScene& scene);

}  // namespace ck::worker
