#pragma once

#include <optional>

namespace ck {

// How a stored frame of a window is sampled.
struct StoredFrame {
  double seconds = 0.0;  // on the timeline of the window
  // The first frame of a step frame: Step tracks have their value of this time, which is the moment
  // before.
  std::optional<double> heldSeconds = {};
};

}  // namespace ck
