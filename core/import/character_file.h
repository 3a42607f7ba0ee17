#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// The flat binary form of a Character that the import worker writes to its standard output.
// Little-endian; a header (magic CKIM, version, total size, table of sections) and sections.
std::vector<std::byte> characterToBytes(const Character& character);

// Reads it back. The bytes come from a process that parsed a hostile file, so everything is
// checked before it is believed: sizes before allocation, offsets, counts, indices, order, finite
// numbers, and last ck::validate(). Fails with ImportBadResult; allocates no more than a small
// multiple of bytes.size().
Result<Character> characterFromBytes(std::span<const std::byte> bytes);

}  // namespace ck
