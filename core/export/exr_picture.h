#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/export/picture16.h"

namespace ck {

// OpenEXR, four float channels of q / 65535 (exact: q comes back by rounding value * 65535), ZIP
// compressed. The same picture gives the same bytes.
Result<std::vector<std::byte>> exrBytes(int width, int height, std::span<const std::byte> texels);

// Reads such a file back; fails with InvalidInput where it is damaged, has other channels or is not
// of the size that is expected.
Result<Picture16> pictureFromExr(std::span<const std::byte> bytes, int width, int height);

}  // namespace ck
