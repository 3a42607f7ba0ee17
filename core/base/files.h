#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ck {

// Reads a regular file of at most `limitBytes`. Refuses devices, pipes and folders without blocking
// on them. Errors: FileNotFound, FileUnreadable, LimitExceeded.
Result<std::vector<std::byte>> readFile(const std::filesystem::path& path,
                                        std::uint64_t limitBytes);

// Writes to a temporary file in the same folder, flushes it to the disk and renames it over `path`.
// On failure the old file is untouched and the first reason of the system is in the message
// (CannotWrite).
Result<void> writeFileAtomically(const std::filesystem::path& path,
                                 std::span<const std::byte> bytes);

// XXH3-64.
std::uint64_t hashBytes(std::span<const std::byte> bytes);
std::string hashText(std::uint64_t hash);  // 16 lower-case hex digits

// UTF-8 <-> path whatever the locale.
std::string pathText(const std::filesystem::path& path);
std::filesystem::path pathFromText(std::string_view utf8);

// `name` with everything that a file system or shell may trip over replaced by '_'; never empty,
// at most 100 bytes.
std::string safeFileName(std::string_view name);

}  // namespace ck
