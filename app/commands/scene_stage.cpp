#include "app/commands/scene_stage.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/cast.h"
#include "core/project/actors/crowd_edits.h"
#include "core/project/actors/placement.h"
#include "core/project/actors/spawn.h"
#include "core/project/characters.h"
#include "core/system/files.h"
#include "render/skinning/method_offers.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

// The encoding of rigs for which none is given: whole matrices for a method that needs them, with a
// note. A given encoding that a given method cannot draw is refused.
UsageResult<std::optional<Encoding>> encodingOfRigs(const SceneOptions& options,
                                                    const ProjectInput& input, Notes& notes) {
  const bool isRig = input.kind == InputKind::Rig;
  const std::optional<Encoding> encoding = options.input.bake.settings.encoding;
  const ViewSettings& view = input.project.view;
  const Encoding own = encodingOf(input.project.characters.front().bake);
  const bool isDrawn = isRig || render::whyNotDrawn(view.pose.method, own).empty();
  const Method method = options.method.value_or(isDrawn ? view.pose.method : Method::Palette);
  const std::string why = render::whyNotDrawn(method, encodingOf(options.input.bake.settings));
  if (why.empty()) return encoding;
  if (encoding) {
    if (!options.method && !isRig) return encoding;
    return tl::unexpected(fmt::format("--encoding {}: {}", encodingName(*encoding), why));
  }
  if (!isRig && !hasFurtherRigs(options)) return encoding;
  constexpr Encoding kMatrices = Encoding::M16;
  const auto isOther = [](const EncodingInfo& info) {
    return storesMatrices(info) && info.encoding != kMatrices;
  };
  notes.push_back({Note::Level::Info, "EncodingChosen",
                   fmt::format("rig files are baked as {}, because the method {} blends whole "
                               "matrices; --encoding {} chooses otherwise",
                               encodingInfo(kMatrices).name, methodName(method),
                               encodingNames(isOther, "or"))});
  return kMatrices;
}

bool isBakedAsRig(const ProjectInput& input, const Project& project, int number) {
  if (number < characterCount(input.project)) return input.kind == InputKind::Rig;
  return !isFromProject(project.characters[std::size_t(number)]);
}

// One for each character: as it was spawned, or as the actors are that there are.
std::vector<double> sharesOf(const Project& project) {
  const std::vector<double>& dealt = project.crowds.front().spawn.shares;
  std::vector<double> shares = dealt;
  shares.resize(static_cast<std::size_t>(characterCount(project)), 0.0);
  if (!dealt.empty() && project.crowds.size() == 1) return shares;
  shares.assign(shares.size(), 0.0);
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    if (!isShown(project, project.actors[i])) continue;
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
  const auto input = projectFrom(options.input, job.part(0.0f, 0.2f));
  if (!input) return tl::unexpected(input.error());
  Notes notes;
  const auto encoding = encodingOfRigs(options, *input, notes);
  if (!encoding) return tl::unexpected(encoding.error());
  Project project = input->project;
  std::vector<double> shares = sharesOf(project);
  if (input->kind == InputKind::Folder) shares.assign(shares.size(), 1.0);
  for (const std::string& text : options.further) {
    const auto further = furtherFrom(text);
    if (!further) return tl::unexpected(further.error());
    if (!isProjectPath(further->file)) {
      if (auto ok = checkIsRig(pathFromText(further->file)); !ok) return tl::unexpected(ok.error());
    }
    addCharacter(project, characterFrom(project, {further->file}));
    shares.push_back(further->share * (shares[0] > 0.0 ? shares[0] : 1.0));
  }
  const CastPlan plan = {.atlases = CastPlan::Atlases::Kept,
                         .example = "kiln render rig.glb walk.fbx -o crowd.png",
                         .before = [&](ProjectCharacter& settings, int number) {
                           if (!isBakedAsRig(*input, project, number)) return;
                           settings.bake.encoding = *encoding;
                           settings.bake.layout = usualLayout(encodingOf(settings.bake));
                         }};
  auto scene = loadCast(project, *input, options.input, plan, job.part(0.2f, 1.0f));
  if (!scene) return tl::unexpected(scene.error());
  notes.insert(notes.end(), input->notes.begin(), input->notes.end());
  scene->notes.insert(scene->notes.begin(), notes.begin(), notes.end());
  if (!options.place.empty()) {
    auto placed = readPlacement(pathFromText(options.place), scene->project);
    if (!placed) return tl::unexpected(placed.error());
    scene->project.actors = std::move(*placed);
  } else if (input->kind != InputKind::Project || options.actorsAsked || !options.further.empty()) {
    scene->project.crowds = {ProjectCrowd{}};
    scene->project.actors = spawnedActors(*scene, options, shares);
  }
  leaveHiddenOut(scene->project);
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
