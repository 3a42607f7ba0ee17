#pragma once

#include <utility>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// A point at the end of a bone, in the space of its node.
struct BoneTip {
  int node = 0;
  glm::dvec3 place{0.0};
};

// Adds a mesh "Bones" to a file that holds motion only. It has one slim octahedron from each node
// to each of its children and tips, and a small one where a chain ends without a tip. Each is
// rigidly bound to its node at rest. Every node becomes a joint. Adds the note "StickFigure". Does
// nothing if the hierarchy is cyclic; assembleCharacter() refuses that.
void addStickFigure(SourceScene& scene, const std::vector<BoneTip>& tips);

}  // namespace ck::worker
