#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ck {

// Reads a regular file of at most `limitBytes`. Refuses devices, pipes and folders without blocking
// on them. Errors: FileNotFound, FileUnreadable, LimitExceeded.
Result<std::vector<std::byte>> readFile(const std::filesystem::path& path,
                                        std::uint64_t limitBytes);

// The first bytes of a regular file, at most `most`; fewer if the file is shorter or cannot be
// read.
std::vector<std::byte> readBeginning(const std::filesystem::path& path, std::size_t most);

// How a symbolic link at a path that is written is treated. Only the very path that the user chose
// is followed: a stranger's folder may have a link at any name that is derived from it.
enum class Links {
  Replace,  // the file takes the place of the link
  Follow,   // the file that the link leads to is written
};

// Writes to a temporary file in the same folder (PATH.unfinished-XXXXXX), flushes the file to disk
// and renames it to `path`. On failure the old file is unchanged, and the message has the system's
// first error (CannotWrite). No other function of the program writes files that it did not make in
// a private folder.
Result<void> writeFileAtomically(const std::filesystem::path& path,
                                 std::span<const std::byte> bytes, Links links = Links::Replace);

// As above, with the content of the regular file `from`, which is copied in parts. Fails as
// readFile() does, too.
Result<void> copyFileAtomically(const std::filesystem::path& from, const std::filesystem::path& to);

// Writes a new file, which must not exist yet, and flushes it to disk. For private folders of this
// process. Fails with CannotWrite.
Result<void> writeNewFile(const std::filesystem::path& path, std::span<const std::byte> bytes);

// Makes the folder `path`, which is `root` or lies below it. `root`, which the user chose, may be a
// link; a link below it is refused, because it could lead anywhere. Fails with CannotWrite.
Result<void> makeFoldersBelow(const std::filesystem::path& root, const std::filesystem::path& path);

// Removes the temporary files for `path` of programs that ended while they wrote; those of programs
// that still write stay.
void removeUnfinished(const std::filesystem::path& path, Links links = Links::Replace);

// The XXH3-64 hash of the bytes.
std::uint64_t hashBytes(std::span<const std::byte> bytes);
std::string hashText(std::uint64_t hash);  // 16 lower-case hex digits
// The other way; nothing for any other text.
std::optional<std::uint64_t> hashFromText(std::string_view text);
// The XXH3-64 hash of a file of at most `limitBytes`, which is read in parts. Fails as readFile()
// does, and with Cancelled.
Result<std::uint64_t> hashOfFile(const std::filesystem::path& path, std::uint64_t limitBytes,
                                 const std::stop_token& stop = {});

// Conversion between UTF-8 and paths, independent of the locale.
std::string pathText(const std::filesystem::path& path);
std::filesystem::path pathFromText(std::string_view utf8);

// `name` with every character that file systems or shells treat specially replaced by '_'. The
// result has 1 to 100 bytes.
std::string safeFileName(std::string_view name);

}  // namespace ck
