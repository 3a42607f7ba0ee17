#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/export/picture_shape.h"

namespace ck {

// Does PNG hold texels of this format? Whole numbers of 8 and 16 bits, not floats.
bool pngHolds(TexelFormat format);

// PNG, 8 or 16 bits, RGBA, without gamma or colour space: the numbers are numbers. The same picture
// gives the same bytes. `shape.format` must be one that pngHolds.
Result<std::vector<std::byte>> pngBytes(const PictureShape& shape,
                                        std::span<const std::byte> texels);

// Reads the texels of such a file back; fails with InvalidInput where it is damaged or not of the
// size and form that is expected.
Result<std::vector<std::byte>> texelsFromPng(std::span<const std::byte> bytes,
                                             const PictureShape& shape);

}  // namespace ck
