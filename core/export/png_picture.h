#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/export/picture16.h"

namespace ck {

// PNG, 16 bits, RGBA, without gamma or colour space: the numbers are numbers. The same picture
// gives the same bytes.
Result<std::vector<std::byte>> pngBytes(int width, int height, std::span<const std::byte> texels);

// Reads such a file back; fails with InvalidInput where it is damaged or not of the size and form
// that is expected.
Result<Picture16> pictureFromPng(std::span<const std::byte> bytes, int width, int height);

}  // namespace ck
