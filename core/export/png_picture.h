#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// PNG, 8 or 16 bits, RGBA, without gamma or colour space: the numbers are numbers. It holds no
// floats.
std::string storedInPng(TexelFormat format);

// The texels of an atlas, which are whole numbers, as such a file. The same texels give the same
// bytes.
Result<std::vector<std::byte>> pngBytes(const Atlas& atlas);

// Reads the texels of such a file back. Fails with InvalidInput where it is damaged, or not of the
// size and format of `described`.
Result<std::vector<std::byte>> texelsFromPng(std::span<const std::byte> bytes,
                                             const Atlas& described);

}  // namespace ck
