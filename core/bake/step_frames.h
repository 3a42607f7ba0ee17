#pragma once

#include <vector>

#include "core/bake/bake_window.h"
#include "core/bake/pose/stored_frame.h"

namespace ck {

// The moments of a window, among `momentCount` even ones, that need two frames
// (docs/techniques.md 1.6): Step tracks jump there, or since the moment before, and move a joint's
// shell by more than 1 um or a morph weight by more than 0.001.
std::vector<int> stepFramesOf(const Character& character, const BakeWindow& window,
                              int momentCount);

// Gives the window so many moments, all of which are kept, and the step frames that they need.
void setMoments(const Character& character, int momentCount, BakeWindow& window);

// One for each stored frame, in order.
std::vector<StoredFrame> storedFrames(const BakeWindow& window);

// Notes (StepFrames) about clips with step frames and what these cost. `bytesPerFrame` is the size
// of a stored frame.
Notes stepNotes(const std::vector<BakeWindow>& windows, std::size_t bytesPerFrame);

}  // namespace ck
