#include "core/stage/scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/project/characters.h"
#include "core/project/props.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"

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

// How many actors play or fade to each clip of a character or its variants.
std::vector<int> actorsOfClips(const Project& project, int character) {
  const int base = baseOf(project, character);
  std::vector<int> counts(clipsOf(project, character).size(), 0);
  const auto count = [&counts](int clip) {
    if (clip >= 0 && static_cast<std::size_t>(clip) < counts.size()) {
      ++counts[static_cast<std::size_t>(clip)];
    }
  };
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const Actor& actor = project.actors[i];
    if (baseOf(project, actor.character) != base) continue;
    count(actor.clip);
    if (actor.fadeClip != actor.clip) count(actor.fadeClip);
  }
  return counts;
}

// `clips`, and those of the project's that the rig lacks and actors play, each behind the clip that
// it is behind now.
void setClipsAndMissing(Project& project, int character, std::vector<ProjectClip> clips,
                        const Character& rig) {
  const std::vector<int> counts = actorsOfClips(project, character);
  auto place = clips.begin();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const ProjectClip& clip = clipsOf(project, character)[i];
    const auto found = std::ranges::find(clips, clip.name, &ProjectClip::name);
    if (found != clips.end()) {
      place = found + 1;
    } else if (counts[i] > 0 && !clipNamed(rig, clip.name)) {
      place = clips.insert(place, clip) + 1;
    }
  }
  setClips(project, character, std::move(clips));
}

void noteMissingClips(Notes& notes, const Project& project, int character, const Character& rig) {
  for (const MissingClip& clip : missingClips(project, character, rig)) {
    notes.push_back({Note::Level::Warning, "ClipMissing",
                     fmt::format("{}: there is no clip '{}' any more; {} of its actors play it and "
                                 "stand in the first pose",
                                 characterTitle(project, character), clip.title, clip.actors)});
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
      // The loader decides which clips of a rig there are.
      setClipsAndMissing(
          project, c,
          isFromProject(asked) ? clipsAfterReading(asked, stage->source) : stage->settings.clips,
          *stage->source.character);
      noteMissingClips(scene.notes, project, c, *stage->source.character);
      one.stage = std::make_shared<const CharacterStage>(std::move(*stage));
    }
    const Character& rig = *one.stage->source.character;
    one.hiddenMeshes = hiddenMeshesOf(asked, rig);
    one.clips = playableClips(inOrderOf(clipsOf(project, c), one.stage->settings.clips), rig,
                              one.stage->atlas.get());
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
  setClipsAndMissing(project, character, clipsAfterReading(project.characters[base], source),
                     *source.character);
}

std::vector<ProjectClip> inOrderOf(std::vector<ProjectClip> ours,
                                   const std::vector<ProjectClip>& settings) {
  for (ProjectClip& clip : ours) {
    const auto found = std::ranges::find(settings, clip.name, &ProjectClip::name);
    if (found != settings.end()) clip = *found;
  }
  return ours;
}

ProjectCharacter withoutMissingClips(ProjectCharacter settings, const Character& rig) {
  std::erase_if(settings.clips,
                [&rig](const ProjectClip& clip) { return !clipNamed(rig, clip.name); });
  return settings;
}

std::vector<MissingClip> missingClips(const Project& project, int character, const Character& rig) {
  std::vector<MissingClip> missing;
  const std::vector<int> counts = actorsOfClips(project, character);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const ProjectClip& clip = clipsOf(project, character)[i];
    if (counts[i] == 0 || clipNamed(rig, clip.name)) continue;
    missing.push_back({titleOf(clip), counts[i]});
  }
  return missing;
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
