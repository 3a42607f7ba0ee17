#pragma once

#include <optional>
#include <string_view>

#include "core/atlas/atlas.h"

namespace ck {

// How a `.ckatlas` holds its texels. All forms are without loss (docs/ckatlas-packed.md).
enum class Pack {
  Small,  // each clip in the form that takes fewest bytes, which is read slowly
  Fast,   // in one that is read at hundreds of megabytes a second: poses take a tenth more
  None,   // as they are in memory
};
std::string_view packName(Pack pack);  // "small", "fast", "none"
std::optional<Pack> packFromName(std::string_view name);

// How an atlas is packed where nobody says: compact poses small, because only that form gains by
// what was rounded, and all others fast.
Pack usualPack(const Atlas& atlas);

}  // namespace ck
