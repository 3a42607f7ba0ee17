#pragma once

#include <span>

#include "core/atlas/atlas.h"
#include "core/bake/bake_window.h"
#include "core/bake/joint_poses.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose_lanes.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// Where the texels of up to eight of `count` frames begin, from `atlasFrame` on, which numbers the
// frames of all clips.
LaneTexels laneTexels(Atlas& atlas, int atlasFrame, std::size_t count);

// Evaluates and encodes all frames, eight moments at a time, straight into the texels of an atlas
// whose recipe, joints, clips and shape are set and whose texels have their size; sets its ranges
// as well. For encodings whose joints stand alone (standsAlone()). The poses are those of
// evaluatePoses() up to rounding to float; narrow ranges are constants (texel_ranges.h). The bytes
// do not depend on the number of threads, nor on `path`. Fails with InvalidInput if a pose is not
// finite, and with Cancelled.
Result<PoseFacts> bakeInLanes(const Character& character, std::span<const BakeWindow> windows,
                              Atlas& atlas, JobContext job, LanePath path = LanePath::Best);

}  // namespace ck
