#pragma once

#include <filesystem>
#include <optional>

#include "core/base/json_fields.h"
#include "core/project/project.h"

namespace ck {

// Reads the characters of a project file of this version. project_json.cpp writes them. Paths are
// relative to `folder`. The first error is stored in `problem`.
void readCharacters(JsonFields& root, int version, const std::filesystem::path& folder,
                    Project& project, std::optional<Error>& problem);

// Reads the key "path": a local path, relative to `folder`.
void readSourcePath(JsonFields& fields, const std::filesystem::path& folder, std::string& path,
                    const std::optional<Error>& problem);

}  // namespace ck
