#pragma once

#include <filesystem>
#include <functional>
#include <map>
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

// The steps from a project's character to what is drawn: read the sources, adopt their clips, find
// the atlas next to the project or bake one. All steps block. They take and return values, so a
// background task or a plain loop can run them.

// The sources of a character after reading.
struct CharacterSource {
  CharacterPtr character;             // the rig, with the clips of all sources
  std::filesystem::path projectFile;  // if the source is a `.crowd` project, else empty
  ProjectCharacter fromProject = {};  // in that case, the first character of that project
  // hashOfSource() of the files as they were read, by SourceFile::path.
  std::map<std::string, std::uint64_t> hashes = {};
};

// How the files that add clips fit the rig: what the matching table shows.
struct FitReports {
  std::vector<ClipFitReport> files;  // of those files that were read, in order
  // The joints that ClipFitReport::Row::joint indexes. Empty if the rig could not be read.
  Rig rig;
};

// Reads the sources of a character that is not a variant. Fails as readProjectFile() and
// importWithClips() do, and with InvalidInput if a project has no rig of its own. `fits`, if given,
// is filled in even then, as far as files were read.
Result<CharacterSource> readCharacterSource(const ProjectCharacter& asked, const JobContext& job,
                                            FitReports* fits = nullptr);

// The new value of ProjectCharacter::clips after reading: adoptedClips() for rig files, names and
// titles only for a project.
std::vector<ProjectClip> clipsAfterReading(const ProjectCharacter& asked,
                                           const CharacterSource& source);

// The clips with all their settings and the bake settings: those of `asked`, or those of the source
// if it is a project. The clips have the indices of clipsAfterReading().
ProjectCharacter settingsFor(const ProjectCharacter& asked, const CharacterSource& source);

// The atlas file that belongs to a project file: plaza.crowd -> plaza.ckatlas.
std::filesystem::path atlasBeside(const std::filesystem::path& projectFile);

// Whether the rig binds a joint where the atlas has it. Versions of the program that kept the scale
// that skin matrices share at rest bound joints of such rigs elsewhere (foldSkinScale()).
bool isBoundAsIn(const AtlasJoint& joint, const SkinJoint& skinJoint);

// Whether baking `character` with `settings` would give this atlas, as far as the atlas records:
// same files, fits and scale, joints, clips and clip edits, frames and settings.
// False if the job is stopped.
bool atlasFits(const Atlas& atlas, const Character& character, const BakeSettings& settings,
               const JobContext& job = {});

// Fails with InvalidInput if a character has clips and none of them is ticked.
Result<void> checkTicked(const ProjectCharacter& settings, const Character& character);

// Bakes a character and adds the notes of the bake. A path of the source that is no UTF-8 is left
// out of the atlas. Fails as bake() does, and with InvalidInput if no clip is ticked.
Result<AtlasPtr> bakeCharacter(const CharacterSource& source, const ProjectCharacter& settings,
                               Notes& notes, const JobContext& job,
                               ChosenComponents* components = nullptr);

// A character with everything needed to draw it.
struct CharacterStage {
  CharacterSource source;
  ProjectCharacter settings;  // settingsFor()
  AtlasPtr atlas;
  Notes notes;                                      // of the import and the bake
  std::optional<ChosenComponents> components = {};  // only after bakeStage()
};

// How the steps before the bake are run.
struct StagePlan {
  std::filesystem::path beside = {};  // as in readCharacterStage()
  bool readsAtlas = true;             // false: no atlas is looked for
  // Changes the settings of a rig that was read. Its failure is that of the step.
  std::function<Result<void>(ProjectCharacter& settings, const Character& rig)> edit = {};
};

// Runs the steps before the bake. The atlas is the one in the file next to a project source, or in
// `beside`, which may be empty; null if there is none or it does not fit. If the file cannot be
// read, a note says so. `fits` as in readCharacterSource().
Result<CharacterStage> readCharacterStage(const ProjectCharacter& asked,
                                          const std::filesystem::path& beside,
                                          const JobContext& job, FitReports* fits = nullptr);

Result<CharacterStage> readCharacterStage(const ProjectCharacter& asked, const StagePlan& plan,
                                          const JobContext& job, FitReports* fits = nullptr);

// Bakes the stage with its settings. Fails as bakeCharacter() does.
Result<void> bakeStage(CharacterStage& stage, const JobContext& job);

// Runs all steps; `beside` as in readCharacterStage().
Result<CharacterStage> makeCharacterStage(const ProjectCharacter& asked,
                                          const std::filesystem::path& beside,
                                          const JobContext& job);

// Facts about a bake that are known without baking.
struct CharacterFigures {
  CharacterPtr character;
  ProjectCharacter settings;
  // The windows of all clips; nothing if a clip edit does not fit.
  std::vector<std::optional<BakeWindow>> windows;
  std::optional<Result<BakeCost>> cost;  // nothing if no clip is ticked
};

// Computes the facts for a character under these settings. Windows of clips that are in `known` are
// copied from there. Figures that are computed after the job is stopped are left out.
CharacterFigures figuresOf(const CharacterPtr& character, const ProjectCharacter& settings,
                           const CharacterFigures& known, const JobContext& job);

// The clips that Actor::clip of a character indexes, with their events: clips of the atlas, or of
// the rig if `atlas` is null. A rig without clips has one clip of its rest pose.
std::vector<CrowdClip> playableClips(const std::vector<ProjectClip>& clips,
                                     const Character& character, const Atlas* atlas);

}  // namespace ck
