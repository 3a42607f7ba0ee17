#pragma once

#include <map>
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

// The joints chosen from the nodes of a file, and the relation of all other nodes to them.
struct RigAssembly {
  Rig rig;                       // without skinJoints
  std::vector<int> jointOfNode;  // one per node; -1 if the node is not a joint
  // For every node, the nearest joint at or above it (-1: none), and the node's transform in that
  // joint's space (in file space if there is none), both in the rest pose.
  std::vector<int> carrierOfNode;
  std::vector<glm::dmat4> inCarrier;
  Notes notes;
};

// Chooses and orders the joints. Errors: InvalidInput for a cyclic hierarchy, LimitExceeded for too
// many joints or too many levels.
Result<RigAssembly> assembleRig(const SourceScene& scene);

// Collects pairs of joint and inverse bind matrix without duplicates (matrices that differ by
// rounding count as equal). finish() sorts them, parents first.
class SkinJoints {
 public:
  // Adds a pair and returns its number, which is valid until finish().
  int add(int joint, const glm::dmat4& inverseBind);
  // Stores the skin joints in the rig. The result maps numbers of add() to skin joint indices.
  std::vector<int> finish(Rig& rig);

 private:
  std::vector<SkinJoint> entries_;
  std::map<int, std::vector<int>> entriesOfJoint_;
};

}  // namespace ck::worker
