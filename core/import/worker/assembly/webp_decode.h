#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// Whether the bytes begin like a WebP.
bool isWebp(std::span<const std::byte> bytes);

// Decodes a still WebP, lossy or lossless, of at most 8192 x 8192 into 8-bit RGBA. Errors:
// Unsupported for animated ones, LimitExceeded, InvalidInput.
Result<Image> decodeWebp(std::span<const std::byte> bytes, std::string name);

}  // namespace ck::worker
