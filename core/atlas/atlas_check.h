#pragma once

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// Checks everything that atlas.h promises, for readers of files: sizes, indices, order, finite
// numbers, UTF-8. Fails with InvalidInput and the first violation.
Result<void> checkAtlas(const Atlas& atlas);

}  // namespace ck
