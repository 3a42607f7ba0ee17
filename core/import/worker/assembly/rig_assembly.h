#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// Which nodes became joints, and how the others hang on them.
struct RigAssembly {
  Rig rig;                       // skinJoints still empty
  std::vector<int> jointOfNode;  // -1 for nodes that are no joints
  // For every node: the nearest joint at or above it (-1 for none), and the node's transform in
  // that joint's space (in file space where there is none), both without any clip.
  std::vector<int> carrierOfNode;
  std::vector<glm::dmat4> inCarrier;
  Notes notes;
};

// Chooses and orders the joints. Errors: InvalidInput for a hierarchy that bites its own tail,
// LimitExceeded for too many joints or too deep a hierarchy.
Result<RigAssembly> assembleRig(const SourceScene& scene);

// Collects the ways joints are bound, each once (bind matrices that differ by rounding only are
// one), and orders them parents-first at the end.
class SkinJoints {
 public:
  // A number to refer to the pair by until finish().
  int add(int joint, const glm::dmat4& inverseBind);
  // Puts the skin joints into the rig; the result maps numbers of add() to indices of them.
  std::vector<int> finish(Rig& rig);

 private:
  std::vector<SkinJoint> entries_;
  std::map<int, std::vector<int>> entriesOfJoint_;
};

}  // namespace ck::worker
