#pragma once

#include "core/base/job.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {

// One row of pictures per clip of the atlas, with `columns` moments from its start to its end from
// left to right, a single actor in each. All cells are seen by one camera that fits the clips. The
// renderer must hold character and atlas. Fails as drawing does, with LimitExceeded for sheets
// above 16384 pixels, and with Cancelled.
Result<render::Frame> drawContactSheet(render::CrowdRenderer& renderer, const Atlas& atlas,
                                       const render::RenderSettings& settings, int columns,
                                       int cellWidth, int cellHeight, const JobContext& job);

}  // namespace ck::cli
