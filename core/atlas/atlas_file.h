#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck {

// The exact container `.ckatlas`: magic, version, explicit sizes, everything of Atlas, a checksum.
// docs/ckatlas.md describes the bytes.
std::vector<std::byte> atlasToBytes(const Atlas& atlas);

// Fails with InvalidInput and a reason for every truncated, altered or newer file; never reads
// outside `bytes`.
Result<Atlas> atlasFromBytes(std::span<const std::byte> bytes);

// Written beside the target and renamed, so that the old file stays whole until the new one is.
Result<void> writeAtlasFile(const Atlas& atlas, const std::filesystem::path& path);
Result<Atlas> readAtlasFile(const std::filesystem::path& path);

}  // namespace ck
