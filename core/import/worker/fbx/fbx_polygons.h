#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/import/worker/assembly/polygons.h"
#include "core/import/worker/fbx/fbx_scene.h"

namespace ck::worker {

// The polygons of a Geometry, and how much of it was not read.
struct FbxPolygons : Polygons {
  std::size_t badPolygons = 0;  // left out: fewer than 3 corners or no such point
  bool hasMoreColors = false;   // further sets of vertex colours, which are not read
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

}  // namespace ck::worker
