#pragma once

#include "render/skinning/skinner.h"

namespace ck::render {

// Method `cpu`: every vertex of every actor is skinned on the CPU and uploaded. Slow, plain, and
// the reference of the other methods; the only one that can show the source.
template <>
SkinnerResult skinnerOf<Method::Cpu>(const SkinnerInput& input);

}  // namespace ck::render
