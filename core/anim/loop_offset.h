#pragma once

#include <optional>

#include "core/anim/root_way.h"
#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

// Starts a loop at another of its moments, at `share` in [0, 1) of its length: what came before
// comes at the end, and the way goes on there from where the loop has come to. A clip that ends one
// step before its first pose (LoopGap::OneStep) gets that step first; it is then a part of the
// clip, which is so much longer, and counts in `share`. Keys are kept, and both ends get keys, as
// cutTrack() adds them. The last key of a loop becomes the first one, which it was but for
// rounding. Fails with InvalidInput if `share` is out of range or the clip does not close by moving
// vertices no farther than `seamMm` says (seamLimitMm()).
Result<void> startLater(const Character& character, double share, std::optional<double> seamMm,
                        Clip& clip, RootWay& way);

}  // namespace ck
