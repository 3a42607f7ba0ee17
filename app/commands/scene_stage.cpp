#include "app/commands/scene_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "app/commands/event_options.h"
#include "app/commands/source_lookup.h"
#include "core/bake/bake.h"
#include "core/base/files.h"
#include "core/project/characters.h"
#include "core/project/placement.h"
#include "core/project/project_json.h"
#include "core/project/spawn.h"
#include "render/skinning/method_offers.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

bool isFolder(const std::string& file) {
  std::error_code failed;
  return fs::is_directory(pathFromText(file), failed);
}

// A rig and files that add clips, baked.
UsageResult<CharacterStage> stageOfRig(const ImportOptions& import, const BakeOptions& options,
                                       const JobContext& job) {
  auto character = importFiles(import, job.part(0.0f, 0.5f));
  if (!character) return tl::unexpected(character.error());
  const auto failWith = [&](Refusal why) {
    why.notes = character->notes;
    return tl::unexpected(std::move(why));
  };
  if (auto ok = checkClips(import, *character, "kiln render rig.glb walk.fbx -o crowd.png"); !ok) {
    return failWith(ok.error());
  }
  const auto settings = bakeSettings(options, *character);
  if (!settings) return failWith(settings.error());
  const auto known = clipsWithEvents(options.events, *character, settings->clips);
  if (!known) return failWith(known.error());
  auto baked = bake(*character, *settings, job.part(0.5f, 1.0f));
  if (!baked) return failWith(baked.error());
  CharacterStage stage;
  for (const BakeClip& clip : settings->clips) {
    stage.settings.clips.push_back(*std::ranges::find(*known, clip.name, &ProjectClip::name));
    stage.settings.clips.back().edit = clip.edit;
  }
  stage.notes = character->notes;
  stage.notes.insert(stage.notes.end(), baked->notes.begin(), baked->notes.end());
  stage.source.character = std::make_shared<const Character>(std::move(*character));
  stage.atlas = std::make_shared<const Atlas>(std::move(baked->atlas));
  return stage;
}

// The first atlas of a folder, with the character that it was baked from.
UsageResult<CharacterStage> stageOfFolder(const ImportOptions& import,
                                          std::vector<std::vector<CrowdEvent>>& events,
                                          const JobContext& job) {
  const fs::path folder = pathFromText(import.files.front());
  CharacterStage stage;
  auto sets = readAtlasFolder(folder, {.job = job});
  if (!sets) return tl::unexpected(sets.error());
  FoundAtlas& set = sets->front();
  auto character = findSource(set, folder, {import.files.begin() + 1, import.files.end()}, job);
  if (!character) return tl::unexpected(character.error());
  for (const AtlasClip& clip : set.atlas.clips) {
    stage.settings.clips.push_back({.name = sourceNameOf(clip), .edit = clip.edit});
  }
  stage.notes.insert(stage.notes.end(), character->notes.begin(), character->notes.end());
  stage.source.character = std::make_shared<const Character>(std::move(*character));
  stage.atlas = std::make_shared<const Atlas>(std::move(set.atlas));
  for (ExportedEvents& clip : set.clipEvents) {
    std::vector<CrowdEvent>& list = events.emplace_back();
    for (ExportedEvent& event : clip.list) list.push_back({std::move(event.name), event.unit});
  }
  return stage;
}

// Loads the characters of a project as the project says, and those of rigs and atlas folders as the
// options say.
class Loader {
 public:
  Loader(const SceneOptions& options, const Project& project)
      : options_(options),
        isProject_(isProjectPath(options.import.files.front())),
        ofProject_(isProject_ ? characterCount(project) : 0),
        usual_(project.view.pose.method),
        bake_(options.bake) {}

  // A StageLoader.
  Result<CharacterStage> operator()(const ProjectCharacter& asked, int number,
                                    const JobContext& job) {
    auto stage = load(asked, number, job);
    if (stage) return std::move(*stage);
    misused = stage.error().misuse;
    notesOfFailure = stage.error().notes;
    return tl::unexpected(stage.error().error);
  }

  bool misused = false;  // whether the failure was wrong usage
  Notes notesOfFailure;  // of the import before it
  Notes notes;
  // Of an atlas folder: one list per clip, or no lists.
  std::vector<std::vector<CrowdEvent>> events;

 private:
  UsageResult<CharacterStage> load(const ProjectCharacter& asked, int number,
                                   const JobContext& job) {
    const std::string& first = options_.import.files.front();
    if (number == 0 && !isProject_) {
      if (auto ok = fitEncoding(usual_); !ok) return tl::unexpected(ok.error());
      return isFolder(first) ? stageOfFolder(options_.import, events, job)
                             : stageOfRig(options_.import, bake_, job);
    }
    if (number >= ofProject_ && !isFromProject(asked)) {
      BakeOptions whole = bake_;
      whole.clips.clear();
      whole.events.clear();
      whole.clipEdits = ofAllClips(whole.clipEdits);
      return stageOfRig({.files = {asked.sources.front().path}}, whole, job);
    }
    if (number > 0) return makeCharacterStage(asked, {}, job);
    if (asked.sources.empty()) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}: the project has no rig; import one into it", first), first);
    }
    auto stage = makeCharacterStage(asked, atlasBeside(pathFromText(first)), job);
    if (!stage) return stage;
    const bool isDrawn = render::whyNotDrawn(usual_, stage->atlas->encoding).empty();
    if (auto ok = fitEncoding(isDrawn ? usual_ : Method::Palette); !ok) {
      return tl::unexpected(ok.error());
    }
    return stage;
  }

  // Chooses whole matrices for a method that needs them. Fails if another encoding is requested.
  UsageResult<void> fitEncoding(Method usual) {
    const bool bakesFirst = !isProject_ && !isFolder(options_.import.files.front());
    if (!bakesFirst && !hasFurtherRigs(options_)) return {};
    constexpr Encoding kMatrices = Encoding::M16;
    Encoding& encoding = bake_.settings.encoding;
    const Method method = options_.method.value_or(usual);
    const std::string why = render::whyNotDrawn(method, encoding);
    if (why.empty()) return {};
    if (options_.encodingAsked) {
      return tl::unexpected(fmt::format("--encoding {}: {}", encodingInfo(encoding).name, why));
    }
    encoding = kMatrices;
    const auto isOther = [](const EncodingInfo& info) {
      return storesMatrices(info) && info.encoding != kMatrices;
    };
    notes.push_back({Note::Level::Info, "EncodingChosen",
                     fmt::format("rig files are baked as {}, because the method {} blends whole "
                                 "matrices; --encoding {} chooses otherwise",
                                 encodingInfo(encoding).name, methodName(method),
                                 encodingNames(isOther, "or"))});
    return {};
  }

  const SceneOptions& options_;
  bool isProject_;
  int ofProject_;  // characters of the project; 0 for a rig or a folder
  Method usual_;
  BakeOptions bake_;
};

// The project that the first file is, or one of a rig or an atlas.
UsageResult<Project> projectOf(const ImportOptions& import) {
  const std::string& first = import.files.front();
  if (!isProjectPath(first)) {
    Project project;
    project.characters.front().sources = {{first}};
    return project;
  }
  auto project = readProjectFile(pathFromText(first));
  if (!project || import.files.size() == 1) return project;
  return tl::unexpected(
      fmt::format("{} names its own files; further characters come by --with", first));
}

// One for each character: as it was spawned, or as the actors are that there are.
std::vector<double> sharesOf(const Project& project) {
  std::vector<double> shares = project.spawn.shares;
  shares.resize(static_cast<std::size_t>(characterCount(project)), 0.0);
  if (!project.spawn.shares.empty()) return shares;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    shares[static_cast<std::size_t>(project.actors[i].character)] += 1.0;
  }
  if (project.actors.size() == 0) shares[0] = 1.0;
  return shares;
}

// Actors of all characters, as the options say.
ActorList spawnedActors(const Scene& scene, const SceneOptions& options,
                        const std::vector<double>& shares) {
  std::vector<CharacterPtr> characters;
  SpawnSettings settings = spawnSettings(options);
  settings.spacingMeters = 0.0;
  settings.shares = shares;
  for (const SceneCharacter& one : scene.characters) {
    characters.push_back(one.stage->source.character);
    settings.spacingMeters = std::max(settings.spacingMeters, spacingFor(*characters.back()));
  }
  return ActorList(spawnCrowd(spawnParts(scene.project, characters), settings));
}

}  // namespace

UsageResult<Scene> makeScene(const SceneOptions& options, const JobContext& job) {
  auto project = projectOf(options.import);
  if (!project) return tl::unexpected(project.error());
  Loader loader(options, *project);
  std::vector<double> shares = sharesOf(*project);
  for (const std::string& text : options.further) {
    const auto further = furtherFrom(text);
    if (!further) return tl::unexpected(further.error());
    addCharacter(*project, characterFrom(*project, {further->file}));
    shares.push_back(further->share * (shares[0] > 0.0 ? shares[0] : 1.0));
  }
  auto scene = loadScene(std::move(*project), std::ref(loader), job);
  if (!scene) {
    Refusal why(scene.error(), loader.misused);
    why.notes = std::move(loader.notesOfFailure);
    return tl::unexpected(std::move(why));
  }
  scene->notes.insert(scene->notes.begin(), loader.notes.begin(), loader.notes.end());
  for (std::size_t i = 0; i < loader.events.size(); ++i) {
    scene->characters.front().clips[i].events = std::move(loader.events[i]);
  }
  if (!options.place.empty()) {
    auto placed = readPlacement(pathFromText(options.place), scene->project);
    if (!placed) return tl::unexpected(placed.error());
    scene->project.actors = std::move(*placed);
  } else if (!isProjectPath(options.import.files.front()) || options.actorsAsked ||
             !options.further.empty()) {
    scene->project.actors = spawnedActors(*scene, options, shares);
  }
  PropShapes shapes;
  for (const std::string& text : options.props) {
    const auto prop = propFrom(text);
    if (!prop) return tl::unexpected(prop.error());
    const auto shape = shapes.read(prop->source, job);
    if (!shape) return tl::unexpected(shape.error());
    scene->props.push_back({*prop, *shape});
  }
  return std::move(*scene);
}

std::vector<render::CharacterEntry> entriesOf(const Scene& scene) {
  std::vector<render::CharacterEntry> entries;
  for (const SceneCharacter& one : scene.characters) {
    entries.push_back({one.stage->source.character, one.stage->atlas, one.hiddenMeshes});
  }
  return entries;
}

std::vector<std::string> clipNamesOf(const Atlas& atlas) {
  std::vector<std::string> names;
  for (const AtlasClip& clip : atlas.clips) names.push_back(sourceNameOf(clip));
  return names;
}

Result<std::vector<BakeError>> measureErrors(const Scene& scene, const DrawnAs& drawn,
                                             const JobContext& job) {
  std::vector<BakeError> errors;
  const auto count = static_cast<float>(scene.characters.size());
  for (const SceneCharacter& one : scene.characters) {
    const auto same = std::ranges::find(scene.characters, one.stage, &SceneCharacter::stage);
    const auto known = static_cast<std::size_t>(same - scene.characters.begin());
    if (known < errors.size()) {
      errors.push_back(errors[known]);
      continue;
    }
    const auto at = static_cast<float>(errors.size());
    auto error = measureBakeError(*one.stage->source.character, *one.stage->atlas, drawn,
                                  job.part(at / count, (at + 1.0f) / count));
    if (!error) {
      return fail(error.error().code, fmt::format("{}: {}", one.title, error.error().message),
                  error.error().file);
    }
    errors.push_back(std::move(*error));
  }
  return errors;
}

}  // namespace ck::cli
