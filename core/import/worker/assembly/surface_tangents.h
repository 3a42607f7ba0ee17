#pragma once

#include <cstddef>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// Computes tangents for normal mapping if the file has none. At each corner of a triangle the
// tangent is the direction in which u grows, made orthogonal to the vertex normal and weighted by
// the corner's angle. Corners with equal position, normal and texture coordinates are summed, as in
// MikkTSpace (M. Mikkelsen, "Simulation of Wrinkled Surfaces Revisited", 2008). w is 1 where
// cross(normal, tangent) points against v (glTF), and -1 where texture coordinates are mirrored.
//
// A vertex shared by mirrored and other triangles is duplicated. Duplicates have all attributes and
// are appended to the mesh; their number is returned. The mesh needs positions, normals, texture
// coordinates, triangles and complete `influenceStarts`. `map` says which set of
// these is used, and how the image is turned on it.
std::size_t makeTangents(Mesh& mesh, const SurfaceMap& map = {});

// Computes tangents for all meshes with a normal map, with the note TangentsComputed. A mesh
// without the map's texture coordinates loses its tangents, with the note NormalMapUnused. The
// meshes must be in model space and named.
void completeTangents(SourceScene& scene);

}  // namespace ck::worker
