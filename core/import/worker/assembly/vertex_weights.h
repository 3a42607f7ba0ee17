#pragma once

#include <string>

#include "core/base/result.h"
#include "core/scene/mesh.h"

namespace ck::worker {

// Counts of the repairs made to the weights of a mesh.
struct WeightRepairs {
  int badWeights = 0;      // influences that were not finite or were negative
  int badJoints = 0;       // influences with an invalid joint index
  int normalised = 0;      // vertices whose weights did not sum to 1 (tolerance 1 %)
  int withoutWeights = 0;  // vertices without any valid influence
};

// Converts raw influences to the form that Mesh requires. Drops weights that are not finite or not
// positive, and joints outside [0, jointCount). Merges duplicates, sorts by weight and normalises
// to sum 1. A vertex without influences gets `fallbackJoint` with weight 1; that joint may be
// outside the range.
WeightRepairs repairWeights(Mesh& mesh, int jointCount, int fallbackJoint);

// Adds one note per kind of repair.
void noteRepairs(const WeightRepairs& repairs, const std::string& meshName, Notes& notes);

}  // namespace ck::worker
