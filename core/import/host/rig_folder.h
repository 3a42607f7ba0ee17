#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ck {

// A regular file that is open to be read. Does not wait for pipes and devices, but refuses them.
// Errors: FileNotFound, FileUnreadable; the message is the reason alone.
Result<int> openToRead(const std::filesystem::path& path);

// The folder of a rig file; if the rig file is a symbolic link, that of the file behind it, too.
// The rig file may refer to other files (textures, buffers) in these folders only.
class RigFolder {
 public:
  explicit RigFolder(const std::filesystem::path& rigFile);

  // Opens the file that a rig file refers to as `reference`: a relative path in UTF-8, already
  // percent-decoded. Refuses absolute paths, URL schemes, drives, UNC names, "..", hidden names,
  // symbolic links that lead out of the folder, everything that is not a regular file, and files
  // whose ending is none of buffers and pictures. Fails as openToRead() does.
  Result<int> open(std::string_view reference) const;

  // The file of that name, in any letter case, in the folder or in one below it, as a reference for
  // open(). The least deep one, then the first by its path. Links are not followed, and a folder of
  // very many files is searched in part.
  std::optional<std::string> findByName(std::string_view name) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

}  // namespace ck
