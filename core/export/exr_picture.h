#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// OpenEXR with four float channels, ZIP-compressed. Integers q are stored as q / 65535 or q / 255;
// rounding restores q exactly. Floats are stored unchanged.
std::string storedInExr(TexelFormat format);

// The file for the texels of an atlas. Equal input gives equal bytes.
Result<std::vector<std::byte>> exrBytes(const Atlas& atlas);

// Reads the texels back. Fails with InvalidInput if the file is damaged, or has other channels or
// another size than `described`.
Result<std::vector<std::byte>> texelsFromExr(std::span<const std::byte> bytes,
                                             const Atlas& described);

}  // namespace ck
