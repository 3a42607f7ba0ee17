#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/export/picture_shape.h"

namespace ck {

// OpenEXR, four float channels, ZIP compressed: q / 65535 or q / 255 of whole texels (exact: q
// comes back by rounding value * 65535 or value * 255), and float texels as they are. The same
// picture gives the same bytes.
Result<std::vector<std::byte>> exrBytes(const PictureShape& shape,
                                        std::span<const std::byte> texels);

// Reads the texels of such a file back; fails with InvalidInput where it is damaged, has other
// channels or is not of the size that is expected.
Result<std::vector<std::byte>> texelsFromExr(std::span<const std::byte> bytes,
                                             const PictureShape& shape);

}  // namespace ck
