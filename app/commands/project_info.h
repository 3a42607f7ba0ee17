#pragma once

#include <string>

#include "core/project/project.h"

namespace ck::cli {

// What a project holds, as a document and for people: sources, cast and actors. Nothing is imported
// for it.
std::string projectDocument(const std::string& file, const Project& project);
std::string projectText(const std::string& file, const Project& project);

}  // namespace ck::cli
