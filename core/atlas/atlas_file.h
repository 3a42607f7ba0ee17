#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"

namespace ck {

// Serialises an atlas without loss to the container `.ckatlas`: magic, version, explicit sizes, all
// of Atlas, the error if it is given, a checksum. docs/ckatlas.md describes the bytes.
std::vector<std::byte> atlasToBytes(const Atlas& atlas, const BakeError* error = nullptr);

// The content of a `.ckatlas`.
struct AtlasFile {
  Atlas atlas;
  std::optional<BakeError> error;  // that the file states
};

// Fails with InvalidInput and a reason for every truncated, altered or newer file. Never reads
// outside `bytes`.
Result<AtlasFile> atlasFileFromBytes(std::span<const std::byte> bytes);
// As above, without the error.
Result<Atlas> atlasFromBytes(std::span<const std::byte> bytes);

// Writes to a temporary file and renames it, so that the old file stays intact until the new one is
// complete.
Result<void> writeAtlasFile(const Atlas& atlas, const std::filesystem::path& path);
Result<Atlas> readAtlasFile(const std::filesystem::path& path);

}  // namespace ck
