#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/project/project.h"

namespace ck {

// The files that a project refers to, each once: sources of characters, then of props. UTF-8, as in
// SourceFile::path.
std::vector<std::string> sourcePaths(const Project& project);

// Gives every source the path that `moved` returns for its old one.
void movePaths(Project& project, const std::function<std::string(const std::string&)>& moved);

// Pictures and buffers that lie in the folder of a rig file or below it and that it names. Files
// are found by their name in the rig's bytes, whatever its format.
std::vector<std::filesystem::path> companionsOf(const std::filesystem::path& rig);

// By which a changed or moved source is recognised: the hash of the file's bytes, and of a `.gltf`
// that of its companions too. Fails as readFile() does.
Result<std::uint64_t> hashOfSource(const std::filesystem::path& source);

// A source that is not where the project says, and a file that may be it.
struct FoundSource {
  std::string was;
  std::string now;
  bool isSame = false;  // its hash is that of FileFacts::sourceHashes
};

// Looks for missing sources: along the end of their path from the folders above the project, beside
// the project and in its subfolders, and in the folders of the other sources and of those that were
// found; by name, or by hash under another name. Reads files to compare their hashes.
std::vector<FoundSource> findSources(const Project& project,
                                     const std::filesystem::path& projectFile);

// The same in one folder alone, by name.
std::vector<FoundSource> findSourcesIn(const Project& project, const std::filesystem::path& folder);

}  // namespace ck
