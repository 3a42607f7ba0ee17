#include "app/commands/cast.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "app/commands/read_back.h"
#include "app/options/export_options.h"
#include "core/error/bake_error.h"
#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

// The notes of a character other than the first begin with its title.
void addNotes(Notes& notes, const Notes& more, const std::string& title) {
  for (Note note : more) {
    if (!title.empty()) note.message = fmt::format("{}: {}", title, note.message);
    notes.push_back(std::move(note));
  }
}

Result<void> checkClips(const Character& character, const ProjectCharacter& settings,
                        const std::string& example) {
  if (!character.clips.empty() || example.empty()) return {};
  const std::string& rig = settings.sources.front().path;
  return fail(ErrorCode::InvalidInput,
              fmt::format("{} has no clips to bake; name files with clips after it, e.g. {}",
                          pathText(pathFromText(rig).filename()), example),
              rig);
}

// The clips of the rig that an atlas lacks, not ticked, so that --clips can name them.
void addOtherClips(ProjectCharacter& settings, const Character& character) {
  std::vector<ProjectClip>& clips = settings.clips;
  const std::size_t known = clips.size();
  clips = adoptedClips(clips, character, settings.bake.seamMm);
  for (std::size_t i = known; i < clips.size(); ++i) clips[i].ticked = false;
}

// A StageLoader that edits what it loads.
class CastLoader {
 public:
  CastLoader(const Project& project, const ProjectInput& input, const InputOptions& options,
             const CastPlan& plan)
      : project_(project),
        input_(input),
        ofInput_(characterCount(input.project)),
        plan_(plan),
        bake_(options.bake) {
    further_ = bake_;
    further_.clips = ofAllClips(bake_.clips);
  }

  Result<CharacterStage> operator()(const ProjectCharacter& asked, int number,
                                    const JobContext& job) {
    const std::string title = number > 0 ? characterTitle(project_, number) : std::string();
    Notes notes;
    auto stage = load(asked, number, notes, job);
    addNotes(notes_, stage ? stage->notes : notes, title);
    if (stage) return std::move(*stage);
    isMisuse_ = stage.error().misuse;
    return tl::unexpected(stage.error().error);
  }

  // Why the scene could not be loaded.
  Refusal refusal(Error error) const {
    Refusal why(std::move(error), isMisuse_);
    why.notes = notes_;
    return why;
  }

 private:
  using Edit = std::function<Result<void>(ProjectCharacter&, const Character&)>;

  // `notes` has those of the import where the rest fails.
  UsageResult<CharacterStage> load(const ProjectCharacter& asked, int number, Notes& notes,
                                   const JobContext& job) {
    UsageResult<void> edited;
    const auto edit = [&](ProjectCharacter& settings, const Character& character) -> Result<void> {
      notes = character.notes;
      edited = editSettings(settings, character, number);
      if (edited) return {};
      return tl::unexpected(edited.error().error);
    };
    auto stage = read(asked, number, edit, job.part(0.0f, 0.4f));
    if (!edited) return tl::unexpected(edited.error());
    if (!stage) return tl::unexpected(stage.error());
    if (stage->atlas || plan_.atlases == CastPlan::Atlases::None) return std::move(*stage);
    if (auto ok = bakeStage(*stage, job.part(0.4f, 1.0f)); !ok) return tl::unexpected(ok.error());
    return std::move(*stage);
  }

  Result<CharacterStage> read(const ProjectCharacter& asked, int number, const Edit& edit,
                              const JobContext& job) {
    if (number < static_cast<int>(input_.sets.size())) {
      return stageOfSet(input_.sets[std::size_t(number)], asked, edit, job);
    }
    StagePlan plan{.readsAtlas = plan_.atlases == CastPlan::Atlases::Kept, .edit = edit};
    if (number == 0) plan.beside = input_.beside;
    return readCharacterStage(asked, plan, job);
  }

  // The atlas of the folder, unless options change it or it is to be baked again.
  Result<CharacterStage> stageOfSet(const FolderSet& set, const ProjectCharacter& asked,
                                    const Edit& edit, const JobContext& job) {
    if (!set.source) return tl::unexpected(set.whyGone->error);
    const Atlas& atlas = set.images.front().atlas;
    CharacterStage stage{*set.source, set.character, nullptr, {}};
    if (input_.isReadAnew) {
      auto source = readCharacterSource(asked, job);
      if (!source) return tl::unexpected(source.error());
      stage.source = std::move(*source);
    }
    stage.notes = stage.source.character->notes;
    stage.settings.bake.encoding = atlas.recipe.encoding;
    if (plan_.atlases == CastPlan::Atlases::Kept && !input_.isReadAnew && !input_.isBakedAnew) {
      stage.atlas = std::make_shared<const Atlas>(atlas);
    } else {
      stage.settings.bake = recipeOf(atlas, *set.source->character, stage.settings, job);
      addOtherClips(stage.settings, *stage.source.character);
    }
    if (auto ok = edit(stage.settings, *stage.source.character); !ok) {
      return tl::unexpected(ok.error());
    }
    return stage;
  }

  UsageResult<void> editSettings(ProjectCharacter& settings, const Character& character,
                                 int number) const {
    const bool isFurther = number >= ofInput_;
    const bool isRig = isFurther ? !isFromProject(project_.characters[std::size_t(number)])
                                 : input_.kind == InputKind::Rig;
    if (plan_.before) plan_.before(settings, number);
    if (isRig) {
      if (auto ok = checkClips(character, settings, plan_.example); !ok) {
        return tl::unexpected(ok.error());
      }
    }
    if (auto ok = editBake(isFurther ? further_ : bake_, character, settings); !ok) return ok;
    // Actors of a project may play clips that are not baked, and a pose may be of any clip.
    const bool isBaked = plan_.atlases != CastPlan::Atlases::None;
    if (isBaked && (isFurther || input_.kind != InputKind::Project)) {
      std::erase_if(settings.clips, [](const ProjectClip& clip) { return !clip.ticked; });
    }
    return plan_.check ? plan_.check(settings) : UsageResult<void>();
  }

  const Project& project_;
  const ProjectInput& input_;
  int ofInput_;  // characters that the input has; those behind are of --with
  const CastPlan& plan_;
  BakeOptions bake_;
  BakeOptions further_;
  bool isMisuse_ = false;
  Notes notes_;
};

// A failure after the bakes, with the notes of the imports, which may tell the cause.
tl::unexpected<Refusal> refuse(Error error, const std::vector<CharacterResult>& cast) {
  Refusal why(std::move(error));
  for (const CharacterResult& one : cast) {
    addNotes(why.notes, one.cast.character->notes, one.cast.title);
  }
  return tl::unexpected(std::move(why));
}

}  // namespace

UsageResult<Scene> loadCast(Project project, const ProjectInput& input, const InputOptions& options,
                            const CastPlan& plan, const JobContext& job) {
  const Project titles = project;
  CastLoader loader(titles, input, options, plan);
  auto scene = loadScene(std::move(project), std::ref(loader), job);
  if (!scene) return tl::unexpected(loader.refusal(scene.error()));
  return std::move(*scene);
}

UsageResult<std::shared_ptr<const CharacterStage>> loadFirst(const ProjectInput& input,
                                                             const InputOptions& options,
                                                             const CastPlan& plan,
                                                             const JobContext& job) {
  Project project = input.project;
  project.characters.resize(1);
  project.actors = ActorList();
  project.props.clear();
  const auto scene = loadCast(std::move(project), input, options, plan, job);
  if (!scene) return tl::unexpected(scene.error());
  return scene->characters.front().stage;
}

UsageResult<std::vector<CharacterResult>> measuredCast(const Scene& scene, const ScreenView& screen,
                                                       const JobContext& job) {
  std::vector<CharacterResult> cast;
  const auto count = static_cast<float>(scene.characters.size());
  for (int c = 0; c < characterCount(scene.project); ++c) {
    if (scene.project.characters[std::size_t(c)].variantOf) continue;
    const CharacterStage& stage = *scene.characters[std::size_t(c)].stage;
    CharacterResult& one = cast.emplace_back();
    one.cast.number = c;
    if (c > 0) one.cast.title = characterTitle(scene.project, c);
    one.cast.character = stage.source.character;
    one.cast.atlas = stage.atlas;
    one.cast.settings = stage.settings;
    one.components = stage.components;
    addNotes(one.notes, stage.notes, one.cast.title);
    const auto at = static_cast<float>(c);
    auto error = measureBakeError(*one.cast.character, *one.cast.atlas, {.screen = screen},
                                  job.part(at / count, (at + 1.0f) / count));
    if (!error) return refuse(error.error(), cast);
    one.cast.error = std::move(*error);
  }
  return cast;
}

UsageResult<std::vector<ExportedTargetFile>> writeCast(
    std::vector<CharacterResult>& cast, const Scene& scene, const ProjectInput& input,
    const std::filesystem::path& folder, const ExportSettings& settings, const JobContext& job) {
  std::vector<CastAtlas> atlases;
  std::vector<std::string> names;
  for (const CharacterResult& one : cast) {
    atlases.push_back(one.cast);
    names.push_back(input.setNames[std::size_t(one.cast.number)]);
  }
  const bool hasActors = input.kind == InputKind::Project && !input.isPicked;
  auto written =
      exportCast(atlases, names, folder, settings, hasActors ? &scene.project : nullptr, job);
  if (!written) return refuse(written.error(), cast);
  for (std::size_t i = 0; i < cast.size(); ++i) {
    CharacterResult& one = cast[i];
    one.name = names[i];
    one.written = std::move(written->sets[i].written);
    one.notes.insert(one.notes.end(), one.written.notes.begin(), one.written.notes.end());
    auto checks = readBack(folder, one.name, one.written);
    if (!checks) return tl::unexpected(checks.error());
    one.sets = std::move(*checks);
  }
  return std::move(written->placement);
}

}  // namespace ck::cli
