#pragma once

#include <QString>

#include "core/atlas/atlas.h"
#include "core/view/pose_settings.h"

namespace ck::ui {

// "As baked", "Interpolated", "Linear by hardware", "Nearest frame", "Nearest frame, compact".
QString samplingTitle(Sampling sampling);

// Texel fetches for poses per vertex. `pose` is resolved for the atlas. `blend`: some actors show
// two clips. `softwareGl`: the method palette skins on the CPU by default.
int fetchesOf(const PoseSettings& pose, const Atlas& atlas, bool blend, bool softwareGl);

}  // namespace ck::ui
