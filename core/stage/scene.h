#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/stage/character_stage.h"

namespace ck {

// A character of a scene. A variant has the stage of its base.
struct SceneCharacter {
  std::string title;
  std::shared_ptr<const CharacterStage> stage;
  std::vector<int> hiddenMeshes;  // into Character::meshes
  std::vector<CrowdClip> clips;   // indexed by Actor::clip
};

struct SceneProp {
  Prop prop;
  CharacterPtr shape;  // readPropShape()
};

// A project with everything needed to draw it.
struct Scene {
  Project project;                         // with its adopted clips
  std::vector<SceneCharacter> characters;  // indexed by Actor::character
  std::vector<SceneProp> props;
  Notes notes;
};

// A function that makes the stage of a character that is not a variant.
using StageLoader = std::function<Result<CharacterStage>(const ProjectCharacter& asked, int number,
                                                         const JobContext& job)>;
// A loader that calls makeCharacterStage(). For the first character, the file `beside` may hold its
// atlas.
StageLoader stageLoader(const std::filesystem::path& beside);

// Loads the characters and the props of a project and adopts the clips. A prop that cannot be read
// is left out, with a note. Fails as `load` does; for characters other than the first the message
// starts with the title.
Result<Scene> loadScene(Project project, const StageLoader& load, const JobContext& job);

// Gives a character of the project the clips that it has after its sources were read. A clip that
// the sources lack stays in its place while actors play it or fade to it: its name and settings
// are used again when the sources have it. Until then it is neither baked nor dealt, and its actors
// stand in the first stored pose, as those of a clip that is not ticked.
void adoptClips(Project& project, int character, const CharacterSource& source);

// The clips of a character of the project with the settings of settingsFor(), which lacks those
// that the rig lacks. The result has the indices of `ours`.
std::vector<ProjectClip> inOrderOf(std::vector<ProjectClip> ours,
                                   const std::vector<ProjectClip>& settings);

// The settings without the clips that the rig lacks: what is baked.
ProjectCharacter withoutMissingClips(ProjectCharacter settings, const Character& rig);

// A clip that actors play or fade to, and that the rig lacks.
struct MissingClip {
  std::string title;
  int actors = 0;
};
// The missing clips of a character and its variants, in the order of its clips.
std::vector<MissingClip> missingClips(const Project& project, int character, const Character& rig);

// Reads the shapes of props, each file once.
class PropShapes {
 public:
  Result<CharacterPtr> read(const SourceFile& source, const JobContext& job);

 private:
  std::vector<std::pair<std::string, CharacterPtr>> known_;
};

}  // namespace ck
