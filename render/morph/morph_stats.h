#pragma once

#include <vector>

namespace ck::render {

// Measurements of the morphs in the last tick.
struct MorphStats {
  bool selectedActor = false;  // whether there is one
  std::vector<int> changed;    // morphs of the selected actor, as indices into the MorphSet
  std::vector<float> weights;  // of the selected actor, one per morph
  int passes = 0;
  bool rebased = false;
  std::size_t nearActors = 0;  // with other weights than the defaults, without the selected actor
  double milliseconds = 0.0;   // CPU time
};

}  // namespace ck::render
