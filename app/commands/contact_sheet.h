#pragma once

#include "core/base/job.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {

// Draws one row of images per clip of the atlas, with `columns` uniform times from its start to its
// end. Each image shows a single actor. All use one camera that fits the clips. The renderer must
// have the character and the atlas. Fails as drawing does, with LimitExceeded for sheets above
// 16384 pixels, and with Cancelled.
Result<render::Frame> drawContactSheet(render::CrowdRenderer& renderer, const Atlas& atlas,
                                       const render::RenderSettings& settings, int columns,
                                       int cellWidth, int cellHeight, const JobContext& job);

}  // namespace ck::cli
