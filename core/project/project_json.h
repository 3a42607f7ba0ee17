#pragma once

#include <filesystem>
#include <string>

#include "core/project/project.h"
#include "core/system/files.h"

namespace ck {

inline constexpr std::uint64_t kLargestProject = std::uint64_t{256} << 20;  // bytes of its file

// The text of a `.crowd` file: JSON with "format", "version" and "minReader". Source paths are
// relative to `folder`, the file's folder.
std::string projectToJson(Project project, const std::filesystem::path& folder);

// Reads all versions of the format, and of later ones those that say so; FileFacts has what this
// version does not know. Fails with InvalidInput (line and reason), Unsupported ("needs
// Crowdkiln x.y or newer") and LimitExceeded (size, depth, actors). Numbers are range-checked and
// never truncated; duplicate keys are refused.
Result<Project> projectFromJson(std::string_view text, const std::filesystem::path& folder);

// Where writeProjectFile() keeps the file that it replaces: X.crowd.bak.
std::filesystem::path backupOf(std::filesystem::path projectFile);

// Writes the file atomically. An existing file is kept as its backup, except a damaged one where
// there is a backup already. Remains of programs that ended while they wrote are removed. A link at
// `path`, which the user chose, is followed by default; one at the backup never is.
Result<void> writeProjectFile(const Project& project, const std::filesystem::path& path,
                              Links links = Links::Follow);
// Fails as readFile() and projectFromJson() do; about a damaged file it names the backup, where
// there is one.
Result<Project> readProjectFile(const std::filesystem::path& path);

}  // namespace ck
