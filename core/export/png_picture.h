#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// PNG of 8 or 16 bits, RGBA, without gamma or colour space, because the values are not colours. It
// cannot hold floats.
std::string storedInPng(TexelFormat format);

// The file for the texels of an atlas, which must be integers. Equal input gives equal bytes.
Result<std::vector<std::byte>> pngBytes(const Atlas& atlas);

// Reads the texels back. Fails with InvalidInput if the file is damaged, or has another size or
// format than `described`.
Result<std::vector<std::byte>> texelsFromPng(std::span<const std::byte> bytes,
                                             const Atlas& described);

}  // namespace ck
