#pragma once

#include <optional>
#include <string_view>

namespace ck {

// How a `.ckatlas` holds its texels. All forms are without loss (docs/ckatlas-packed.md).
enum class Pack {
  Small,  // predicted from the poses before and the parent joint, arithmetic coder: fewest bytes
  Fast,   // second differences and zstd: read at hundreds of megabytes a second
  None,   // as they are in memory
};
std::string_view packName(Pack pack);  // "small", "fast", "none"
std::optional<Pack> packFromName(std::string_view name);

}  // namespace ck
