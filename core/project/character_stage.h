#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake.h"
#include "core/bake/bake_window.h"
#include "core/base/job.h"
#include "core/crowd/crowd.h"
#include "core/project/project.h"
#include "core/scene/character.h"

namespace ck {

// From what a project says of a character to what is drawn, in steps that block: read the sources,
// adopt their clips, find the atlas beside the project or bake one. Every step takes values and
// returns values, so a thread or a plain loop can run them.

// A character's sources as they were read.
struct CharacterSource {
  CharacterPtr character;             // the rig, with the clips of all sources
  std::filesystem::path projectFile;  // where the source is a `.crowd` project; else empty
  ProjectCharacter fromProject = {};  // then what that project says of its first character
};

// Reads the sources of a character that is no variant. Fails as readProjectFile() and
// importWithClips() do, and with InvalidInput where a project has no rig of its own.
Result<CharacterSource> readCharacterSource(const ProjectCharacter& asked, const JobContext& job);

// The clips that ProjectCharacter::clips holds after reading: adoptedClips() of rig files, names
// and titles of a project.
std::vector<ProjectClip> clipsAfterReading(const ProjectCharacter& asked,
                                           const CharacterSource& source);

// The clips with all their settings, and how they are baked: as asked, but as the source says where
// it is a project. Index for index the clips of clipsAfterReading().
ProjectCharacter settingsFor(const ProjectCharacter& asked, const CharacterSource& source);

// The atlas file that belongs to a project file: plaza.crowd -> plaza.ckatlas.
std::filesystem::path atlasBeside(const std::filesystem::path& projectFile);

// Whether `atlas` is what baking `character` with `settings` would give, as far as its record says:
// same source and scale, joints, clips and their shapes, frames and settings.
bool atlasFits(const Atlas& atlas, const Character& character, const BakeSettings& settings);

// The atlas in the file beside a project source, or else in `beside`, which may be empty; null
// where there is none or it does not fit. Adds a note where the file cannot be read.
AtlasPtr atlasOnDisk(const CharacterSource& source, const ProjectCharacter& settings,
                     const std::filesystem::path& beside, Notes& notes);

// Bakes a character and adds the notes of that. Fails as bake() does, and with InvalidInput where
// no clip is ticked.
Result<AtlasPtr> bakeCharacter(const CharacterSource& source, const ProjectCharacter& settings,
                               Notes& notes, const JobContext& job);

// A character with all that drawing it needs.
struct CharacterStage {
  CharacterSource source;
  ProjectCharacter settings;  // settingsFor()
  AtlasPtr atlas;
  Notes notes;  // of the import and the bake
};

// All steps in a row; `beside` as in atlasOnDisk().
Result<CharacterStage> makeCharacterStage(const ProjectCharacter& asked,
                                          const std::filesystem::path& beside,
                                          const JobContext& job);

// What baking would give, as far as that is known without baking.
struct CharacterFigures {
  CharacterPtr character;
  ProjectCharacter settings;
  std::vector<std::optional<BakeWindow>> windows;  // of all clips; none where an edit does not fit
  std::optional<Result<BakeCost>> cost;            // none where no clip is ticked
};

// The figures of a character under these settings. Windows of clips that `known` has already are
// copied from there.
CharacterFigures figuresOf(const CharacterPtr& character, const ProjectCharacter& settings,
                           const CharacterFigures& known, const JobContext& job);

// What Actor::clip of a character means, with its events: clips of the atlas, or of the rig while
// `atlas` is null. A rig without clips has one that stands at rest.
std::vector<CrowdClip> playableClips(const std::vector<ProjectClip>& clips,
                                     const Character& character, const Atlas* atlas);

}  // namespace ck
