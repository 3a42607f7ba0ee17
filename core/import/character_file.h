#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Serialises a Character to the flat binary form that the import worker writes to standard output.
// Little-endian: a header (magic CKIM, version, total size, section table), then sections.
std::vector<std::byte> characterToBytes(const Character& character);

// Reads the flat form. The bytes come from a process that parsed a hostile file, so everything is
// checked before use: sizes before allocation, offsets, counts, indices, order, finite numbers, and
// finally ck::validate(). Fails with ImportBadResult. Allocates at most a small multiple of
// bytes.size().
Result<Character> characterFromBytes(std::span<const std::byte> bytes);

}  // namespace ck
