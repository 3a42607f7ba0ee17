#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/project/character_stage.h"

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

// Gives a character of the project the clips that it has after its sources were read.
void adoptClips(Project& project, int character, const CharacterSource& source);

// Reads the shapes of props, each file once.
class PropShapes {
 public:
  Result<CharacterPtr> read(const SourceFile& source, const JobContext& job);

 private:
  std::vector<std::pair<std::string, CharacterPtr>> known_;
};

}  // namespace ck
