#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/shell.h"
#include "core/export/atlas_export.h"
#include "core/scene/character.h"

namespace ck::cli {

// The character that an atlas was baked from, in the scale that it was baked in. Without `files`
// the path in the atlas and those of its clip files are tried, from the current folder and then
// from `folder`; `error` has the code FileNotFound where it is gone and `gone` is set. A source
// whose bytes are not those of the bake is told in the notes, or is as good as gone where the path
// came from the atlas.
struct FoundSource {
  Result<Character> character = fail(ErrorCode::Internal, "not looked for");
  bool gone = false;
};
FoundSource findSource(const FoundAtlas& set, const std::filesystem::path& folder,
                       const std::vector<std::string>& files, const JobContext& job);

}  // namespace ck::cli
