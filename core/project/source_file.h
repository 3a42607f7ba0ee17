#pragma once

#include <string>

namespace ck {

// A rig or clip file of a project.
struct SourceFile {
  std::string path;  // UTF-8; absolute in memory, relative with '/' in the file if possible
  bool operator==(const SourceFile&) const = default;
};

}  // namespace ck
