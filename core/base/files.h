#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ck {

// Reads a regular file of at most `limitBytes`. Refuses devices, pipes and folders without blocking
// on them. Errors: FileNotFound, FileUnreadable, LimitExceeded.
Result<std::vector<std::byte>> readFile(const std::filesystem::path& path,
                                        std::uint64_t limitBytes);

// Writes to a temporary file in the same folder (PATH.unfinished-XXXXXX), flushes the file to disk
// and renames it to `path`. On failure the old file is unchanged, and the message has the system's
// first error (CannotWrite).
Result<void> writeFileAtomically(const std::filesystem::path& path,
                                 std::span<const std::byte> bytes);

// Removes the temporary files for `path` of programs that ended while they wrote; those of programs
// that still write stay.
void removeUnfinished(const std::filesystem::path& path);

// The XXH3-64 hash of the bytes.
std::uint64_t hashBytes(std::span<const std::byte> bytes);
std::string hashText(std::uint64_t hash);  // 16 lower-case hex digits
// The other way; nothing for any other text.
std::optional<std::uint64_t> hashFromText(std::string_view text);
// The XXH3-64 hash of a file of any size. Fails as readFile() does.
Result<std::uint64_t> hashOfFile(const std::filesystem::path& path);

// Conversion between UTF-8 and paths, independent of the locale.
std::string pathText(const std::filesystem::path& path);
std::filesystem::path pathFromText(std::string_view utf8);

// `name` with every character that file systems or shells treat specially replaced by '_'. The
// result has 1 to 100 bytes.
std::string safeFileName(std::string_view name);

}  // namespace ck
