#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// OpenEXR, four float channels, ZIP compressed. Whole numbers q are stored as q / 65535 or q / 255,
// which is exact: q is value * 65535 or value * 255, rounded. Floats are stored as they are.
std::string storedInExr(TexelFormat format);

// The texels of an atlas as such a file. The same texels give the same bytes.
Result<std::vector<std::byte>> exrBytes(const Atlas& atlas);

// Reads the texels of such a file back. Fails with InvalidInput where it is damaged, has other
// channels, or is not of the size of `described`.
Result<std::vector<std::byte>> texelsFromExr(std::span<const std::byte> bytes,
                                             const Atlas& described);

}  // namespace ck
