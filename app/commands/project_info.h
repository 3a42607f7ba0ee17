#pragma once

#include <string>

#include "core/project/project.h"

namespace ck::cli {

// The content of a project as JSON and as text: sources, characters and actors. Imports nothing.
std::string projectDocument(const std::string& file, const Project& project);
std::string projectText(const std::string& file, const Project& project);

}  // namespace ck::cli
