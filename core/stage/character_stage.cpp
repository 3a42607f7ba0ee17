#include "core/stage/character_stage.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/bake/bake.h"
#include "core/base/utf8.h"
#include "core/container/atlas_file.h"
#include "core/morph/morph_set.h"
#include "core/project/characters.h"
#include "core/project/project_json.h"
#include "core/project/source_files.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

Result<ProjectCharacter> firstOfProject(const SourceFile& source) {
  auto project = readProjectFile(pathFromText(source.path));
  if (!project) return tl::unexpected(project.error());
  ProjectCharacter first = std::move(project->characters.front());
  if (!first.sources.empty() && !isFromProject(first)) return first;
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: the project has no rig; import one into it", source.path),
              source.path);
}

// The joints that can be matched. A rig whose further files do not fit is not returned by the
// import, but its joints are needed to say what the files' joints are.
Rig rigToMatch(const Result<Character>& imported, const std::vector<ImportFile>& files,
               const ImportInputs& inputs, const JobContext& job) {
  if (imported) return imported->rig;
  if (files.size() < 2 || job.stopRequested()) return {};
  const auto alone = importCharacter(files.front().path, inputs.settings, {}, job);
  return alone ? alone->rig : Rig{};
}

}  // namespace

Result<CharacterSource> readCharacterSource(const ProjectCharacter& asked, const JobContext& job,
                                            FitReports* fits) {
  CharacterSource read;
  // Before they are read: a file that changes meanwhile is found to have changed.
  for (const SourceFile& source : asked.sources) {
    const auto hash = hashOfSource(pathFromText(source.path), job.stop);
    if (hash) read.hashes[source.path] = *hash;
  }
  ImportInputs inputs = importInputs(asked);
  if (isFromProject(asked)) {
    read.projectFile = pathFromText(asked.sources.front().path);
    auto first = firstOfProject(asked.sources.front());
    if (!first) return tl::unexpected(first.error());
    inputs = importInputs(*first);
    read.fromProject = std::move(*first);
  }
  std::vector<ImportFile> files;
  for (const SourceFile& each : inputs.sources) {
    files.push_back({pathFromText(each.path), each.fit});
  }
  std::vector<ClipFitReport> reports;
  auto character =
      importWithClips(files, inputs.settings, {}, job, fits != nullptr ? &reports : nullptr);
  if (fits != nullptr) *fits = {std::move(reports), rigToMatch(character, files, inputs, job)};
  if (!character) return tl::unexpected(character.error());
  read.character = std::make_shared<const Character>(std::move(*character));
  read.fromProject.clips =
      adoptedClips(read.fromProject.clips, *read.character, read.fromProject.bake.seamMm);
  return read;
}

std::vector<ProjectClip> clipsAfterReading(const ProjectCharacter& asked,
                                           const CharacterSource& source) {
  if (source.projectFile.empty())
    return adoptedClips(asked.clips, *source.character, asked.bake.seamMm);
  std::vector<ProjectClip> clips;
  for (const ProjectClip& clip : source.fromProject.clips) {
    clips.push_back({.name = clip.name, .title = clip.title});
  }
  return clips;
}

ProjectCharacter settingsFor(const ProjectCharacter& asked, const CharacterSource& source) {
  if (!source.projectFile.empty()) return source.fromProject;
  ProjectCharacter settings = asked;
  settings.clips = clipsAfterReading(asked, source);
  return settings;
}

bool isBoundAsIn(const AtlasJoint& joint, const SkinJoint& skinJoint) {
  constexpr float kSameMeters = 1e-3f;
  const glm::vec3 pivot(pivotOf(skinJoint));
  return glm::distance(joint.pivot, pivot) <= kSameMeters * (1.0f + glm::length(pivot));
}

// Whether the atlas has the skin joints of the rig, bound where the rig binds them, and the same
// sockets among them.
static bool hasJointsOf(const Atlas& atlas, const Rig& rig) {
  const std::vector<std::string> names = skinJointNames(rig);
  if (names.size() != atlas.joints.size()) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const AtlasJoint& joint = atlas.joints[i];
    if (joint.name != names[i] || joint.isSocket != rig.skinJoints[i].isSocket) return false;
    if (!isBoundAsIn(joint, rig.skinJoints[i])) return false;
  }
  return true;
}

fs::path atlasBeside(const fs::path& projectFile) {
  fs::path path = projectFile;
  return path.replace_extension(".ckatlas");
}

bool atlasFits(const Atlas& atlas, const Character& character, const BakeSettings& settings,
               const JobContext& job) {
  if (atlas.sourceHash != character.source.hash) return false;
  if (atlas.clipsHash != character.source.clipsHash) return false;
  if (atlas.unitScale != character.source.unitScale) return false;
  if (!hasJointsOf(atlas, character.rig)) return false;
  if (atlas.morphs.names.size() != morphSetOf(character).size()) return false;
  if (!atlas.morphs.empty() && atlas.morphs.form != settings.morphs) return false;
  // The settings that are left to the bake are only known from planning it.
  const Components components = *atlas.recipe.components;
  BakeSettings stated = settings;
  if (!stated.encoding) stated.encoding = atlas.recipe.encoding;
  if (atlas.recipe != statedRecipe(stated, components)) return false;
  const Result<BakeCost> cost = bakeCost(character, settings, job);
  if (!cost || cost->clips.size() != atlas.clips.size()) return false;
  if (cost->components.components != components) return false;
  if (cost->encoding != encodingOf(atlas.recipe)) return false;
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    if (cost->clips[clip].name != atlas.clips[clip].name ||
        cost->clips[clip].frames != atlas.clips[clip].frameCount) {
      return false;
    }
    if (clip >= settings.clips.size()) continue;
    const BakeClip& wish = settings.clips[clip];
    if (wish.loop && *wish.loop != atlas.clips[clip].loop) return false;
    if (wish.edit != atlas.clips[clip].edit) return false;
  }
  return cost->width == atlasWidth(atlas) && cost->height == atlasHeight(atlas);
}

Result<void> checkTicked(const ProjectCharacter& settings, const Character& character) {
  if (settings.clips.empty() || anyClipTicked(settings)) return {};
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: none of its {} clips is ticked, so there is nothing to bake; tick "
                          "one",
                          character.name, settings.clips.size()));
}

Result<AtlasPtr> bakeCharacter(const CharacterSource& source, const ProjectCharacter& settings,
                               Notes& notes, const JobContext& job, ChosenComponents* components) {
  if (auto ok = checkTicked(settings, *source.character); !ok) return tl::unexpected(ok.error());
  auto baked = bake(*source.character, bakeInputs(settings), job);
  if (!baked) return tl::unexpected(baked.error());
  if (!isUtf8(baked->atlas.sourcePath)) baked->atlas.sourcePath.clear();
  if (components != nullptr) *components = baked->components;
  notes.insert(notes.end(), baked->notes.begin(), baked->notes.end());
  return std::make_shared<const Atlas>(std::move(baked->atlas));
}

static AtlasPtr atlasOnDisk(const CharacterSource& source, const ProjectCharacter& settings,
                            const fs::path& beside, Notes& notes, const JobContext& job) {
  const fs::path file = source.projectFile.empty() ? beside : atlasBeside(source.projectFile);
  std::error_code failed;
  if (file.empty() || !fs::is_regular_file(file, failed)) return nullptr;
  auto atlas = readAtlasFile(file);
  if (!atlas) {
    notes.push_back({Note::Level::Warning, "AtlasBeside",
                     fmt::format("{}; the clips are baked again", atlas.error().message)});
    return nullptr;
  }
  if (!atlasFits(*atlas, *source.character, bakeInputs(settings), job)) {
    notes.push_back({Note::Level::Info, "AtlasStale",
                     fmt::format("{}: it was baked from other files or with other settings, so the "
                                 "clips are baked again",
                                 pathText(file))});
    return nullptr;
  }
  return std::make_shared<const Atlas>(std::move(*atlas));
}

Result<CharacterStage> readCharacterStage(const ProjectCharacter& asked, const fs::path& beside,
                                          const JobContext& job, FitReports* fits) {
  return readCharacterStage(asked, StagePlan{.beside = beside}, job, fits);
}

Result<CharacterStage> readCharacterStage(const ProjectCharacter& asked, const StagePlan& plan,
                                          const JobContext& job, FitReports* fits) {
  auto source = readCharacterSource(asked, job, fits);
  if (!source) return tl::unexpected(source.error());
  CharacterStage stage{std::move(*source), {}, nullptr, {}};
  stage.settings = settingsFor(asked, stage.source);
  stage.notes = stage.source.character->notes;
  if (plan.edit) {
    if (auto ok = plan.edit(stage.settings, *stage.source.character); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  if (!plan.readsAtlas) return stage;
  stage.atlas = atlasOnDisk(stage.source, stage.settings, plan.beside, stage.notes, job);
  return stage;
}

Result<void> bakeStage(CharacterStage& stage, const JobContext& job) {
  ChosenComponents& components = stage.components.emplace();
  auto baked = bakeCharacter(stage.source, stage.settings, stage.notes, job, &components);
  if (!baked) return tl::unexpected(baked.error());
  stage.atlas = std::move(*baked);
  return {};
}

Result<CharacterStage> makeCharacterStage(const ProjectCharacter& asked, const fs::path& beside,
                                          const JobContext& job) {
  auto stage = readCharacterStage(asked, beside, job.part(0.0f, 0.5f));
  if (!stage || stage->atlas) return stage;
  if (auto ok = bakeStage(*stage, job.part(0.5f, 1.0f)); !ok) return tl::unexpected(ok.error());
  return stage;
}

CharacterFigures figuresOf(const CharacterPtr& character, const ProjectCharacter& settings,
                           const CharacterFigures& known, const JobContext& job) {
  CharacterFigures figures{character, settings, {}, {}};
  BakeSettings plan = settings.bake;
  plan.clips.clear();
  BakeSettings knownPlan = known.settings.bake;
  knownPlan.clips.clear();
  const bool sameRig = known.character == character && knownPlan == plan;
  for (const ProjectClip& clip : settings.clips) {
    const BakeClip asked = bakeClipOf(clip);
    std::optional<BakeWindow>& window = figures.windows.emplace_back();
    for (std::size_t i = 0; i < known.windows.size() && sameRig && !window; ++i) {
      if (bakeClipOf(known.settings.clips[i]) == asked) window = known.windows[i];
    }
    if (window || job.stopRequested()) continue;
    if (auto planned = planWindow(*character, asked, plan, job)) window = std::move(*planned);
  }
  if (anyClipTicked(settings) && !job.stopRequested()) {
    figures.cost = bakeCost(*character, bakeInputs(settings), job);
  }
  return figures;
}

std::vector<CrowdClip> playableClips(const std::vector<ProjectClip>& clips,
                                     const Character& character, const Atlas* atlas) {
  std::vector<std::string> names;
  names.reserve(clips.size());
  for (const ProjectClip& clip : clips) names.push_back(clip.name);
  std::vector<CrowdClip> known =
      atlas != nullptr ? crowdClips(*atlas, names) : sourceCrowdClips(character, names);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto source = clipNamed(character, known[i].name);
    const double start = source ? character.clips[*source].startSeconds : 0.0;
    EventWindow window = {start, known[i].durationSeconds, 1.0};
    if (atlas != nullptr) {
      if (known[i].atlasClip < 0) continue;
      window = windowOf(atlas->clips[static_cast<std::size_t>(known[i].atlasClip)]);
    }
    known[i].events = crowdEvents(clips[i].events, window);
  }
  if (known.empty()) known.emplace_back();
  return known;
}

}  // namespace ck
