#pragma once

#include <utility>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// A point that hangs on a node, in the node's space: the tip of a last bone.
struct BoneTip {
  int node = 0;
  glm::dvec3 place{0.0};
};

// Gives a file that holds motion only something to see: a mesh "Bones" with one slim octahedron
// from each node to each of its children and tips, and a small one where a chain ends without a
// tip, each rigidly on its node at rest. Every node becomes a joint. Notes "StickFigure". Does
// nothing where the hierarchy is not a tree: assembleCharacter refuses that.
void addStickFigure(SourceScene& scene, const std::vector<BoneTip>& tips);

}  // namespace ck::worker
