#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"

namespace ck {

// Whether a text can be the id of an export: 16 hex digits in lower case, not all 0.
bool isSetId(std::string_view text);

// The content of a container besides the atlas.
struct ContainerExtras {
  const BakeError* error = nullptr;  // to state; must live during the call
  // The id of the export that the file belongs to (isSetId()); empty for a file of no export.
  std::string setId = {};
  // States another path of the source than Atlas::sourcePath if given.
  const std::string* sourcePath = nullptr;
};

// Serialises an atlas without loss to the container `.ckatlas`: magic, version, explicit sizes, all
// of Atlas, the extras, a checksum. docs/ckatlas.md describes the bytes. Texels are packed, and
// stored as they are where packing would lose something (texels between the clips) or readers would
// refuse to unpack them (see mayUnpackTo()). Clips are packed on up to `threadCount` threads (0:
// all cores); the bytes do not depend on it.
std::vector<std::byte> atlasToBytes(const Atlas& atlas, const ContainerExtras& extras = {},
                                    int threadCount = 0);

// As above, with the texels as they are. It does not look at what the atlas says, so that tests can
// write atlases that make no sense.
std::vector<std::byte> unpackedAtlasToBytes(const Atlas& atlas, const ContainerExtras& extras = {});

// The content of a `.ckatlas`.
struct AtlasFile {
  Atlas atlas;
  std::optional<BakeError> error;  // that the file states
  std::string setId = {};          // ContainerExtras::setId
};

// Whether a file of so many bytes may hold so many bytes of texels in packed form. Joints that do
// not move pack to almost nothing, and a small file must not take all memory.
bool mayUnpackTo(std::uint64_t fileBytes, std::uint64_t texelBytes);

// Fails with InvalidInput and a reason for every truncated, altered or newer file. Never reads
// outside `bytes`.
Result<AtlasFile> atlasFileFromBytes(std::span<const std::byte> bytes);
// As above, without the extras.
Result<Atlas> atlasFromBytes(std::span<const std::byte> bytes);

// The set id that the beginning of a `.ckatlas` states, without reading the rest. Empty if there is
// none or the file is no container.
std::string setIdOfAtlasFile(const std::filesystem::path& path);

// Writes to a temporary file and renames it, so that the old file stays intact until the new one is
// complete.
Result<void> writeAtlasFile(const Atlas& atlas, const std::filesystem::path& path);
// Its header is compared with its size before the rest is read.
Result<AtlasFile> readFullAtlasFile(const std::filesystem::path& path);
// As above, without the extras.
Result<Atlas> readAtlasFile(const std::filesystem::path& path);

}  // namespace ck
