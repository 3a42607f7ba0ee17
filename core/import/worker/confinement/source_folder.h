#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ck::worker {

// Size limit of a rig file and of each file next to it.
inline constexpr std::uint64_t kFileLimitBytes = 2'000'000'000;

// The folder of a rig file; if the rig file is a symbolic link, that of the file behind it, too.
// The rig file may refer to other files (textures, buffers) in these folders only.
class SourceFolder {
 public:
  explicit SourceFolder(const std::filesystem::path& rigFile);

  // Reads the file that a rig file refers to as `reference`: a relative path in UTF-8, already
  // percent-decoded. Refuses absolute paths, URL schemes, drives, UNC names, "..", symbolic links
  // that lead out of the folder, and everything that is not a regular file. Errors: FileNotFound,
  // FileUnreadable, LimitExceeded; the message contains the reference.
  Result<std::vector<std::byte>> read(std::string_view reference);

  // The file of that name, in any letter case, in the folder or in one below it, as a reference for
  // read(). The least deep one, then the first by its path. Links are not followed, and a folder of
  // very many files is searched in part.
  std::optional<std::string> findByName(std::string_view name) const;

  // The path of `reference`, if the rules allow it.
  Result<std::filesystem::path> resolve(std::string_view reference) const;

  // Canonical; the folder in which the rig file is named comes first.
  const std::vector<std::filesystem::path>& paths() const { return folders_; }

 private:
  std::vector<std::filesystem::path> folders_;
  int filesRead_ = 0;
};

// Decodes percent escapes (%41 -> A); malformed escapes are kept.
std::string percentDecoded(std::string_view text);

}  // namespace ck::worker
