#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "core/morph/morph_set.h"
#include "core/scene/character.h"

namespace ck {

// Evaluates the skin matrices of a clip over its baked window. For an exclusive loop the window
// continues for `closingSeconds` after the last key; every joint moves from its last to its first
// pose there, except that properties with Step tracks jump at the end. The object holds scratch
// memory, so each thread needs its own. The rig and the clip must outlive it.
class WindowSampler {
 public:
  WindowSampler(const Rig& rig, const Clip& clip, double closingSeconds);

  // One matrix per skin joint, valid until the next call. `seconds` is on the file's timeline.
  // Properties with Step tracks have their value of `heldSeconds`, if that is given.
  std::span<const glm::dmat4> skinMatrices(double seconds, std::optional<double> heldSeconds = {});

  // The global matrices of all joints at that time (one per Rig::joints, model space).
  std::span<const glm::dmat4> globals() const { return globals_; }

 private:
  void sampleLocals(double seconds);

  const Rig& rig_;
  const Clip& clip_;
  double lastKeySeconds_;
  double closingSeconds_;
  std::vector<Trs> locals_;
  // If there is a closing step: the first pose, and the pose that the step leads to, in which Step
  // tracks still have their last values.
  std::vector<Trs> firstLocals_;
  std::vector<Trs> closedLocals_;
  std::vector<glm::dmat4> globals_;
  std::vector<glm::dmat4> skins_;
};

// The same for morph weights: in a closing step they move from the last to the first, and those
// with Step tracks jump at the end. The clip must outlive it.
class WindowWeights {
 public:
  WindowWeights(const MorphSet& set, const Clip& clip, double closingSeconds);

  // One weight per morph of the set.
  std::vector<float> at(double seconds, std::optional<double> heldSeconds = {}) const;

 private:
  std::vector<float> sampled(double seconds) const;
  void holdSteps(double seconds, std::vector<float>& weights) const;

  std::vector<float> defaults_;
  std::vector<const Track<float>*> tracks_;  // one per morph, null if it has no keys
  double lastKeySeconds_;
  double closingSeconds_;
  std::vector<float> first_;
  std::vector<float> closed_;  // as first_, but Step tracks have their last values
};

}  // namespace ck
