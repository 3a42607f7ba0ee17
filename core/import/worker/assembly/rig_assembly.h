#pragma once

#include <optional>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// The node's local transform at rest.
glm::dmat4 restMatrix(const SourceNode& node);

// Whether all elements are numbers below 1e15.
bool isSane(const glm::dmat4& matrix);

// Nodes with parents before children, and children in file order. If there is a cycle, the result
// is shorter than the list of nodes.
std::vector<int> parentsFirst(const std::vector<SourceNode>& nodes);

// The joints chosen from the nodes of a file, and the relation of all other nodes to them. All
// nodes of the scene become joints but those of skinned meshes, which no skinning uses.
struct RigAssembly {
  Rig rig;                       // without skinJoints
  std::vector<int> jointOfNode;  // one per node; -1 if the node is not a joint
  // One per joint: whether it is a joint for clips of other files and for sockets alone, or because
  // a clip moves it. settled() (core/import/settle_rig.h) may fold it.
  std::vector<char> isOptional;
  // For every node, the nearest joint at or above it (-1: none), and the node's transform in that
  // joint's space (in file space if there is none), both in the rest pose.
  std::vector<int> carrierOfNode;
  std::vector<glm::dmat4> inCarrier;
  Notes notes;
};

// Chooses and orders the joints. If there are too many nodes, only those become joints that skins
// and clips of this file name. Errors: InvalidInput for a cyclic hierarchy, LimitExceeded for too
// many joints or too many levels.
Result<RigAssembly> assembleRig(const SourceScene& scene);

}  // namespace ck::worker
