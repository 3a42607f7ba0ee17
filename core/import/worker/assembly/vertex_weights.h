#pragma once

#include <string>

#include "core/base/result.h"
#include "core/scene/mesh.h"

namespace ck::worker {

// How many vertices of a mesh had weights that needed work.
struct WeightRepairs {
  int badWeights = 0;      // influences that were not finite or negative
  int badJoints = 0;       // influences that named no joint
  int normalised = 0;      // vertices whose weights did not sum to 1 (within 1 %)
  int withoutWeights = 0;  // vertices that had none left
};

// Turns raw influences into what Mesh promises: drops weights that are not finite, not positive or
// of a joint outside [0, jointCount); adds doubles up; heaviest first; sum 1. A vertex that ends
// without any gets `fallbackJoint` with weight 1 (which may lie outside the range).
WeightRepairs repairWeights(Mesh& mesh, int jointCount, int fallbackJoint);

// One note for each kind of repair.
void noteRepairs(const WeightRepairs& repairs, const std::string& meshName, Notes& notes);

// Unit normals, smooth over all triangles that meet at a position (equal to the last bit), weighted
// by area, for meshes without normals; no vertex is welded. Vertices of no triangle get +Y.
void computeNormals(Mesh& mesh);

}  // namespace ck::worker
