#pragma once

#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake_window.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// Leaves frames out of windows in which every moment has some (docs/techniques.md 1.8): at the
// moments, and halfway between two of them, interpolation between the frames that are left moves no
// vertex by more than BakeSettings::reduceMm > 0 from where interpolation between all frames has
// it, by the reading of the settings, drawn with their influences and with all morph weights. The
// direct reading includes what mixes skin matrices. Of sockets, the shell is moved no more. Both
// ends of a clip and its step frames are kept. Poses are compared as they are before they are
// encoded. A window from which less than a sixteenth can be left out stays as it is. Returns a box
// for each window, that of all vertices over all of its moments. Fails with InvalidInput if a pose
// is not finite, and with Cancelled.
Result<std::vector<Bounds>> reduceFrames(const Character& character, const BakeSettings& settings,
                                         std::vector<BakeWindow>& windows, const JobContext& job);

// A note (FramesLeftOut) about what windows store of their moments; none if none is reduced.
Notes reductionNotes(const std::vector<BakeWindow>& windows, double mm);

}  // namespace ck
