#pragma once

#include <filesystem>
#include <string>

#include "core/project/project.h"

namespace ck {

// The text of a `.crowd` file: JSON with "format", "version" and "minReader". Source paths are
// written relative to `folder`, the folder that the file will lie in.
std::string projectToJson(const Project& project, const std::filesystem::path& folder);

// Reads every version that was ever written. Fails with InvalidInput (line and reason), with
// Unsupported ("needs Crowdkiln x.y or newer") and LimitExceeded (size, depth, actors). Numbers are
// range-checked, never narrowed; doubled keys are refused.
Result<Project> projectFromJson(std::string_view text, const std::filesystem::path& folder);

// Atomic; keeps the file that was there as X.crowd.bak.
Result<void> writeProjectFile(const Project& project, const std::filesystem::path& path);
Result<Project> readProjectFile(const std::filesystem::path& path);

}  // namespace ck
