#pragma once

#include <optional>
#include <span>

#include "core/atlas/atlas.h"
#include "core/bake/bake_window.h"
#include "core/bake/joint_poses.h"
#include "core/bake/lane_poser.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// Whether bakePivots() can bake an encoding: poses in pivot form in 16-bit texels with a range for
// places and scales.
bool bakesInLanes(Encoding encoding);

// Evaluates and encodes all frames in pivot form, eight moments at a time, straight into the texels
// of an atlas whose joints, clips, shape and range mode are set and whose texels have their size.
// Sets its ranges as well. The poses are those of evaluatePoses() up to rounding to float; narrow
// ranges are constants (texel_ranges.h). The bytes do not depend on the number of threads, nor on
// `path`.
//
// Gives nothing, and leaves the texels undefined, if a pose is not finite or has no size in some
// direction, which evaluatePoses() handles. Fails with Cancelled.
Result<std::optional<PoseFacts>> bakePivots(const Character& character,
                                            std::span<const BakeWindow> windows, int influences,
                                            Atlas& atlas, JobContext job,
                                            LanePath path = LanePath::Best);

}  // namespace ck
