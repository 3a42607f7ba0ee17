#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/options/shell.h"
#include "core/export/atlas_folder.h"
#include "core/stage/character_stage.h"

namespace ck::cli {

// A set of a folder, and the character that its atlas was baked from.
struct FolderSet {
  std::string name;
  std::vector<FoundAtlas> images;  // at least one
  // The sources, how they are read and what the sidecar states of the clips, for a project. Its
  // bake settings are not known before recipeOf().
  ProjectCharacter character;
  std::optional<CharacterSource> source = {};  // nothing: it is gone or cannot be read
  std::optional<Refusal> whyGone = {};         // why it is nothing
};

// The sets of a folder with the characters that they were baked from, in the scale of the bake.
// Without `against` the rig is looked for at the path that the atlas states, relative to `folder`,
// then by its name in the folder and a few levels above, then by its hash beside the atlas. Fails
// as readAtlasFolder() does; a source that fails is none of it.
UsageResult<std::vector<FolderSet>> folderSets(const std::filesystem::path& folder,
                                               const std::vector<std::string>& against,
                                               const JobContext& job);

// Bake settings by which the character gives the atlas again. A rate that the clips do not agree on
// becomes their own key grid.
BakeSettings recipeOf(const Atlas& atlas, const Character& character,
                      const ProjectCharacter& settings, const JobContext& job);

}  // namespace ck::cli
