#include "core/project/scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/files.h"
#include "core/project/characters.h"
#include "core/project/pipeline.h"
#include "core/project/props.h"

namespace ck {
namespace {

// Adds the file's name to each note, except for those of the first character.
void addNotes(Notes& notes, const ProjectCharacter& asked, int number, const Notes& more) {
  const std::string file = pathText(pathFromText(asked.sources.front().path).filename());
  for (Note note : more) {
    if (number > 0) note.message = fmt::format("{}: {}", file, note.message);
    notes.push_back(std::move(note));
  }
}

void noteMissingMeshes(Notes& notes, const SceneCharacter& character,
                       const std::vector<std::string>& hiddenMeshes) {
  std::vector<std::string> names;
  for (const Mesh& mesh : character.stage->source.character->meshes) names.push_back(mesh.name);
  for (const std::string& name : hiddenMeshes) {
    if (std::ranges::find(names, name) != names.end()) continue;
    notes.push_back({Note::Level::Warning, "HiddenMeshMissing",
                     fmt::format("{}: there is no mesh '{}' to hide; the rig has '{}'",
                                 character.title, name, fmt::join(names, "', '"))});
  }
}

}  // namespace

StageLoader stageLoader(const std::filesystem::path& beside) {
  return [beside](const ProjectCharacter& asked, int number, const JobContext& job) {
    return makeCharacterStage(asked, number == 0 ? beside : std::filesystem::path(), job);
  };
}

Result<Scene> loadScene(Project project, const StageLoader& load, const JobContext& job) {
  Scene scene;
  const int count = characterCount(project);
  for (int c = 0; c < count; ++c) {
    const ProjectCharacter asked = project.characters[static_cast<std::size_t>(c)];
    SceneCharacter one;
    one.title = characterTitle(project, c);
    if (asked.variantOf) {
      one.stage = scene.characters[static_cast<std::size_t>(*asked.variantOf)].stage;
    } else {
      auto stage = load(asked, c,
                        job.part(static_cast<float>(c) / static_cast<float>(count),
                                 static_cast<float>(c + 1) / static_cast<float>(count)));
      if (!stage) {
        Error error = stage.error();
        if (c > 0) error.message = fmt::format("{}: {}", one.title, error.message);
        return tl::unexpected(std::move(error));
      }
      addNotes(scene.notes, asked, c, stage->notes);
      takeClipNames(project.characters[static_cast<std::size_t>(c)].clips,
                    *stage->source.character);
      // The loader decides which clips of a rig there are.
      setClips(
          project, c,
          isFromProject(asked) ? clipsAfterReading(asked, stage->source) : stage->settings.clips);
      one.stage = std::make_shared<const CharacterStage>(std::move(*stage));
    }
    const Character& rig = *one.stage->source.character;
    one.hiddenMeshes = hiddenMeshesOf(asked, rig);
    one.clips = playableClips(one.stage->settings.clips, rig, one.stage->atlas.get());
    noteMissingMeshes(scene.notes, one, asked.hiddenMeshes);
    scene.characters.push_back(std::move(one));
  }
  PropShapes shapes;
  for (const Prop& prop : project.props) {
    const auto shape = shapes.read(prop.source, job);
    if (shape) {
      scene.props.push_back({prop, *shape});
    } else {
      scene.notes.push_back({Note::Level::Warning, "PropMissing",
                             fmt::format("a prop is left out: {}", shape.error().message)});
    }
  }
  scene.project = std::move(project);
  return scene;
}

void adoptClips(Project& project, int character, const CharacterSource& source) {
  const auto base = static_cast<std::size_t>(baseOf(project, character));
  takeClipNames(project.characters[base].clips, *source.character);
  setClips(project, character, clipsAfterReading(project.characters[base], source));
}

Result<CharacterPtr> PropShapes::read(const SourceFile& source, const JobContext& job) {
  for (const auto& [path, shape] : known_) {
    if (path == source.path) return shape;
  }
  auto shape = readPropShape(source, job);
  if (shape) known_.emplace_back(source.path, *shape);
  return shape;
}

}  // namespace ck
