#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// Whether the bytes begin like a KTX 2.0.
bool isKtx2(std::span<const std::byte> bytes);

// Decodes a KTX 2.0 whose texels are 8-bit grey, RGB, BGR, RGBA or BGRA, plain or packed by
// Zstandard or zlib: its largest level of at most 8192 x 8192, into 8-bit RGBA. Errors: Unsupported
// for textures that are packed for graphics cards or by Basis Universal, and for arrays, cubes and
// volumes; LimitExceeded, InvalidInput.
Result<Image> decodeKtx2(std::span<const std::byte> bytes, std::string name);

}  // namespace ck::worker
