#pragma once

#include <cstdint>

#include "core/base/byte_stream.h"
#include "core/scene/character.h"

// The sections of the flat form, with one writer and one reader each. A reader checks the ranges of
// single values and marks the byte reader bad. Checks across sections are done by ck::validate().
namespace ck::blob {

inline constexpr std::uint32_t kMagic = 0x4D494B43;  // "CKIM"
inline constexpr std::uint32_t kVersion = 3;

enum class Section : std::uint32_t {
  Source = 1,
  Notes,
  Joints,
  SkinJoints,
  Meshes,
  Clips,
  Materials,
  Pictures
};
inline constexpr std::uint32_t kSectionCount = 8;
inline constexpr std::size_t kHeaderBytes = 32;  // magic, version, total u64, xxh3 u64, sections, 0
inline constexpr std::size_t kTableEntryBytes = 24;  // id, 0, offset u64, size u64

void write(ByteWriter& out, const Character& character, Section section);
void read(ByteReader& in, Character& character, Section section);

}  // namespace ck::blob
