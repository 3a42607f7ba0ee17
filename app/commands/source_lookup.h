#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/shell.h"
#include "core/export/atlas_folder.h"
#include "core/scene/character.h"

namespace ck::cli {

// Finds and imports the character that an atlas was baked from, in the scale of the bake. Without
// `files` it tries the paths stored in the atlas, relative to the current folder and to `folder`. A
// missing source is wrong usage, because options name it: FileNotFound. A source whose hash differs
// from the bake's gives a note; if its path came from the atlas, it counts as missing.
UsageResult<Character> findSource(const FoundAtlas& set, const std::filesystem::path& folder,
                                  const std::vector<std::string>& files, const JobContext& job);

}  // namespace ck::cli
