#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/project/project.h"

namespace ck {

// The files that a project refers to, each once: sources of characters, then of props. UTF-8, as in
// SourceFile::path.
std::vector<std::string> sourcePaths(const Project& project);

// Gives every source the path that `moved` returns for its old one.
void movePaths(Project& project, const std::function<std::string(const std::string&)>& moved);

// The largest file that is read for what it names, and that is compared by its hash.
inline constexpr std::uint64_t kLargestSource = std::uint64_t{1} << 30;
// The largest rig file that imports read.
inline constexpr std::uint64_t kLargestRig = 2'000'000'000;

// Pictures and buffers that lie in the folder of a rig file or below it and that it names. Files
// are found by their name in the rig's bytes, whatever its format; of a `.glb` in its JSON alone.
// None for a rig of more than kLargestSource bytes.
std::vector<std::filesystem::path> companionsOf(const std::filesystem::path& rig);

// The files that are read with these sources and may lie in `folder` or below it: the sources, and
// companionsOf() those in whose folders `folder` is.
std::vector<std::filesystem::path> filesReadWith(std::vector<std::filesystem::path> sources,
                                                 const std::filesystem::path& folder);

// By which a changed or moved source is recognised: the hash of the file's bytes, and of a `.gltf`
// that of its companions too. Fails as hashOfFile() does, for files that are too large to be
// imported, too.
Result<std::uint64_t> hashOfSource(const std::filesystem::path& source,
                                   const std::stop_token& stop = {});

// A source that is not where the project says, and a file that may be it.
struct FoundSource {
  std::string was;
  std::string now;
  bool isSame = false;  // its hash is that of FileFacts::sourceHashes; never above kLargestSource
};

// Looks for missing sources: along the end of their path from the folders above the project, beside
// the project and in its subfolders, and in the folders of the other sources and of those that were
// found; by hash, also under another name, else by name, the longest end of the path first. No file
// is found for two sources, nor one that is a source already. Reads files to compare their hashes.
std::vector<FoundSource> findSources(const Project& project,
                                     const std::filesystem::path& projectFile);

// The same in one folder alone, by name; a file whose hash is another than the known one is none.
std::vector<FoundSource> findSourcesIn(const Project& project, const std::filesystem::path& folder);

}  // namespace ck
