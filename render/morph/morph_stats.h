#pragma once

#include <vector>

namespace ck::render {

// What showing the morph targets of a crowd took in the last tick.
struct MorphStats {
  bool selectedActor = false;  // whether there is one
  std::vector<int>
      changed;  // shapes of the selected actor that changed, into the character's MorphSet
  std::vector<float> weights;  // of the selected actor, one per shape
  int passes = 0;
  bool rebased = false;
  std::size_t nearActors =
      0;  // that show other weights than the defaults; the selected actor is not counted
  double milliseconds = 0.0;  // CPU time
};

}  // namespace ck::render
