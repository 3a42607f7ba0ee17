#pragma once

#include <vector>

#include "render/morph/morph_accumulator.h"

namespace ck::render {

// How the morph targets of a crowd are shown. The selected actor, an actor that is being edited, is
// morphed by an accumulator with all weights of its source clip; actors near the eye by the sparse
// differences of the weights that were baked; all others keep the default shape.
struct MorphView {
  bool on = true;
  double nearMeters = 25.0;         // how far from the eye an actor's face is still to be seen
  AccumulatorSettings accumulator;  // of the selected actor
  bool operator==(const MorphView&) const = default;
};

// What showing them took in the last tick.
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
