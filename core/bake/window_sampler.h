#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Skin matrices of a clip over its baked window. For an exclusive loop the window goes on for
// `closingSeconds` after the last key, in which every joint moves from its last pose to its first.
// Holds scratch memory: one per thread. The rig and clip must outlive it.
class WindowSampler {
 public:
  WindowSampler(const Rig& rig, const Clip& clip, double closingSeconds);

  // One matrix per skin joint, valid until the next call. `seconds` on the file's timeline.
  std::span<const glm::dmat4> skinMatrices(double seconds);

  // Where the joints of the rig are at that time (Rig::joints, model space).
  std::span<const glm::dmat4> globals() const { return globals_; }

 private:
  void sampleLocals(double seconds);

  const Rig& rig_;
  const Clip& clip_;
  double lastKeySeconds_;
  double closingSeconds_;
  std::vector<Trs> locals_;
  std::vector<Trs> firstLocals_;  // of the closing step, else empty
  std::vector<glm::dmat4> globals_;
  std::vector<glm::dmat4> skins_;
};

}  // namespace ck
