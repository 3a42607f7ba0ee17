#pragma once

#include "core/scene/clip.h"

namespace ck {

// Sets the start and duration of a clip to the time from its first key to its last. The clip has at
// least one key.
void setWindowToKeys(Clip& clip);

}  // namespace ck
