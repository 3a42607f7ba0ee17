#pragma once

#include "render/skinning/skinner.h"

namespace ck::render {

// The book's timing on any atlas: draws like the method atlas, interpolated and without fades. The
// second frame is derived from the length of a tick. `tickSeconds` as in bookRecords().
ReferencePtr bookTimingMethod(double tickSeconds = 1.0 / 60.0);

}  // namespace ck::render
