#pragma once

#include <cstdint>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// Checks everything that atlas.h promises, for readers of files: sizes, indices, order, finite
// numbers, UTF-8. Fails with InvalidInput and the first violation.
Result<void> checkAtlas(const Atlas& atlas);

// The two parts of it, for readers that know the texels only after the rest: all but the texels,
// which will be `texelBytes` large, and the texels of an atlas that has passed the former.
Result<void> checkDescription(const Atlas& atlas, std::uint64_t texelBytes);
Result<void> checkTexels(const Atlas& atlas);

}  // namespace ck
