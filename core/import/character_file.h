#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Tracks and clips that last longer are refused.
inline constexpr double kLongestClipSeconds = 1'000.0 * 3600.0;

// The outline of the flat form, little-endian: a header, a table with one entry for each section,
// then the sections in the order of their ids, which count from 1.
namespace blob {
inline constexpr std::uint32_t kMagic = 0x4D494B43;  // "CKIM"
inline constexpr std::uint32_t kVersion = 6;
inline constexpr std::uint32_t kSectionCount = 8;
inline constexpr std::size_t kHeaderBytes = 32;  // magic, version, total u64, xxh3 u64, sections, 0
inline constexpr std::size_t kTableEntryBytes = 24;  // id, 0, offset u64, size u64
}  // namespace blob

// Serialises a Character to the flat binary form that the import worker writes to standard output.
// Mesh::bindScale is left out: it is 1 until the worker's result was received.
std::vector<std::byte> characterToBytes(const Character& character);

// Reads the flat form. The bytes come from a process that parsed a hostile file, so everything is
// checked before use: sizes before allocation, offsets, counts, indices, order, finite numbers, and
// finally ck::validate(). Fails with ImportBadResult, and with LimitExceeded where a list is longer
// than this program reads. Allocates at most a small multiple of
// bytes.size().
Result<Character> characterFromBytes(std::span<const std::byte> bytes);

}  // namespace ck
