#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/scene/character.h"

namespace ck::worker {

// Decodes a PNG, JPEG, BMP or TGA of at most 8192 x 8192 into 8-bit RGBA. Errors: Unsupported,
// LimitExceeded, InvalidInput.
Result<Picture> decodePicture(std::span<const std::byte> bytes, std::string name);

}  // namespace ck::worker
