#pragma once

#include <filesystem>
#include <string>

#include "core/base/json_fields.h"
#include "core/project/project.h"

namespace ck {

// Reads or writes the characters of a project file. Paths of files are relative to `folder`.
void describeCharacters(JsonFields& root, const std::filesystem::path& folder, Project& project);

// The key "path" of a source file: a local path, relative to `folder`.
void describePath(JsonFields& fields, const std::filesystem::path& folder, std::string& path);

}  // namespace ck
