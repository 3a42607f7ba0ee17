#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ck::worker {

// The largest rig file, or file beside one, that is read.
inline constexpr std::uint64_t kFileLimitBytes = 2'000'000'000;

// The folder of a rig file: the only place where the file may name others (textures, buffers).
class SourceFolder {
 public:
  explicit SourceFolder(const std::filesystem::path& rigFile);

  // Reads the file that a rig file calls `reference` (a relative path, UTF-8, percent signs already
  // decoded). Refuses absolute paths, schemes, drives, UNC names, "..", symbolic links that lead
  // out of the folder and everything that is not a regular file. FileNotFound, FileUnreadable,
  // LimitExceeded; the message says what was asked for.
  Result<std::vector<std::byte>> read(std::string_view reference);

  // The path that `reference` stands for, where the rules allow it.
  Result<std::filesystem::path> resolve(std::string_view reference) const;

  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;  // canonical
  int filesRead_ = 0;
};

// %41 -> A; broken escapes stay as they are.
std::string percentDecoded(std::string_view text);

}  // namespace ck::worker
