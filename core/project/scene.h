#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/project/character_stage.h"

namespace ck {

// A character of a scene. Variants share the stage of their base.
struct SceneCharacter {
  std::string title;
  std::shared_ptr<const CharacterStage> stage;
  std::vector<int> hiddenMeshes;  // into Character::meshes
  std::vector<CrowdClip> clips;   // what Actor::clip means
};

struct SceneProp {
  Prop prop;
  CharacterPtr shape;  // readPropShape()
};

// A project with all that drawing it needs.
struct Scene {
  Project project;                         // its clips as they were adopted
  std::vector<SceneCharacter> characters;  // by Actor::character
  std::vector<SceneProp> props;
  Notes notes;
};

// Makes the stage of a character that is no variant.
using StageLoader = std::function<Result<CharacterStage>(const ProjectCharacter& asked, int number,
                                                         const JobContext& job)>;
// makeCharacterStage(); the first character may have an atlas in the file `beside`.
StageLoader stageLoader(const std::filesystem::path& beside);

// Loads the characters and then the props of a project, and adopts the clips. A prop that cannot be
// read is left out, with a note. Fails as `load` does, for characters besides the first with the
// title in front.
Result<Scene> loadScene(Project project, const StageLoader& load, const JobContext& job);

// Reads shapes of props, each file once.
class PropShapes {
 public:
  Result<CharacterPtr> read(const SourceFile& source, const JobContext& job);

 private:
  std::vector<std::pair<std::string, CharacterPtr>> known_;
};

}  // namespace ck
