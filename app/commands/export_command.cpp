#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <span>

#include "app/commands/bake_report.h"
#include "app/commands/commands.h"
#include "app/commands/export_options.h"
#include "app/commands/options.h"
#include "app/commands/shell.h"
#include "app/commands/source_lookup.h"
#include "core/bake/bake_error.h"
#include "core/base/files.h"
#include "core/export/atlas_folder.h"
#include "core/project/cast_export.h"
#include "core/project/characters.h"
#include "core/project/placement.h"
#include "core/project/project_json.h"
#include "core/project/scene.h"
#include "core/project/source_files.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

struct ExportCommandOptions {
  std::string input;
  std::string folder;
  std::vector<std::string> against;
  ExportOptions exports;
};

// What was written, with the notes of reading it.
struct Exported {
  std::vector<CastSet> sets;
  std::size_t actors = 0;
  std::vector<PlacementFile> placement;  // of the actors; none for a folder
  Notes notes;

  void add(const Notes& more) { notes.insert(notes.end(), more.begin(), more.end()); }
};

// Every atlas of a folder, with the character that it was baked from.
UsageResult<Exported> exportFolder(const ExportCommandOptions& options,
                                   std::span<const fs::path> inputs, const JobContext& job) {
  const fs::path from = pathFromText(options.input);
  Exported exported;
  const auto found = readAtlasFolder(from, {.notes = &exported.notes, .job = job});
  if (!found) return tl::unexpected(found.error());
  std::map<std::string, const FoundAtlas*> first;
  for (const FoundAtlas& set : *found) first.emplace(set.name, &set);
  float done = 0.0f;
  for (const auto& [name, set] : first) {
    const float share = 1.0f / static_cast<float>(first.size());
    const JobContext own = job.part(done, done + share);
    done += share;
    const auto character = findSource(*set, from, options.against, own.part(0.0f, 0.3f));
    if (!character) return tl::unexpected(character.error());
    const auto error = measureBakeError(*character, set->atlas, own.part(0.3f, 0.6f));
    if (!error) return tl::unexpected(error.error());
    ExportSettings settings = exportSettings(options.exports);
    settings.character = &*character;
    settings.clipSources = set->clipSources;
    settings.clipEvents = set->clipEvents;
    // Players are added to the texels that are read; other texels replace them.
    std::error_code failed;
    const bool writesTexels = std::ranges::any_of(
        settings.kinds, [](ExportKind kind) { return kind != ExportKind::Json; });
    if (!writesTexels && fs::equivalent(from, pathFromText(options.folder), failed)) {
      for (const FoundAtlas& other : *found) {
        if (other.name == name) settings.kinds.insert(other.kind);
      }
    }
    if (auto ok = checkActs(options.exports, settings); !ok) return tl::unexpected(ok.error());
    std::vector<fs::path> sources = {pathFromText(character->source.path)};
    for (const std::string& file : options.against) sources.push_back(pathFromText(file));
    settings.inputs = filesReadWith(std::move(sources), pathFromText(options.folder));
    settings.inputs.insert(settings.inputs.end(), inputs.begin(), inputs.end());
    auto written = exportAtlas(set->atlas, name, pathFromText(options.folder), settings, &*error,
                               own.part(0.6f, 1.0f));
    if (!written) return tl::unexpected(written.error());
    exported.sets.push_back({.name = name, .written = std::move(*written)});
    exported.add(character->notes);
  }
  exported.add(exportNotes(exported.sets));
  return exported;
}

// All characters of a project, baked as it says, and its actors.
UsageResult<Exported> exportProject(const ExportCommandOptions& options,
                                    std::span<const fs::path> inputs, const JobContext& job) {
  const fs::path path = pathFromText(options.input);
  auto project = readProjectFile(path);
  if (!project) return tl::unexpected(project.error());
  const std::string name = safeFileName(pathText(path.stem()));
  const fs::path folder = pathFromText(options.folder);
  ExportSettings settings = exportSettings(options.exports);
  settings.inputs.assign(inputs.begin(), inputs.end());
  keepAtlasBeside(path, name, folder, settings);
  if (auto ok = checkActs(options.exports, settings); !ok) return tl::unexpected(ok.error());
  const auto scene =
      loadScene(std::move(*project), stageLoader(atlasBeside(path)), job.part(0.0f, 0.4f));
  if (!scene) return tl::unexpected(scene.error());
  std::vector<CastAtlas> atlases;
  for (int c = 0; c < characterCount(scene->project); ++c) {
    const ProjectCharacter& asked = scene->project.characters[std::size_t(c)];
    if (asked.variantOf) continue;
    const CharacterStage& stage = *scene->characters[std::size_t(c)].stage;
    CastAtlas& one = atlases.emplace_back();
    one.number = c;
    if (c > 0) one.title = characterTitle(scene->project, c);
    one.character = stage.source.character;
    one.atlas = stage.atlas;
    one.settings = stage.settings;
    auto error = measureBakeError(*one.character, *one.atlas, job.part(0.4f, 0.6f));
    if (!error) return tl::unexpected(error.error());
    one.error = std::move(*error);
  }
  auto sets = exportCast(atlases, name, folder, settings, job.part(0.6f, 1.0f));
  if (!sets) return tl::unexpected(sets.error());
  auto placement = writePlacement(scene->project, *sets, name, folder);
  if (!placement) return tl::unexpected(placement.error());
  Exported exported{std::move(*sets), scene->project.actors.size(), std::move(*placement),
                    scene->notes};
  exported.add(exportNotes(exported.sets));
  return exported;
}

Json setJson(const CastSet& set) {
  Json json = {{"name", set.name}};
  addWritten(json, set.written);
  return json;
}

Json placementDocument(const Exported& exported) {
  const auto fileJson = [](const PlacementFile& file) -> Json {
    return {{"name", file.name}, {"bytes", file.bytes}, {"xxh3", file.xxh3}};
  };
  return {{"actors", exported.actors}, {"files", jsonList(exported.placement, fileJson)}};
}

int run(const ExportCommandOptions& options, const Shell& shell) {
  std::error_code failed;
  const bool isFolder = fs::is_directory(pathFromText(options.input), failed);
  if (!isFolder && !options.input.ends_with(".crowd")) {
    return shell.fail(Refusal(
        {ErrorCode::InvalidInput,
         fmt::format("{}: 'kiln export' takes a project (.crowd) or a folder that 'kiln bake' "
                     "wrote; 'kiln bake FILE -o DIR --export ...' bakes and exports a rig",
                     options.input),
         options.input},
        true));
  }
  if (!isFolder && !options.against.empty()) {
    return shell.fail(
        Refusal({ErrorCode::InvalidInput,
                 "--against is for atlas folders; a project names its sources", options.input},
                true));
  }
  const auto exported = isFolder ? exportFolder(options, shell.inputs, shell.job())
                                 : exportProject(options, shell.inputs, shell.job());
  if (!exported) return shell.fail(exported.error());
  Json document = {{"sets", jsonList(exported->sets, setJson)}};
  if (!isFolder) document["placement"] = placementDocument(*exported);
  document["notes"] = notesJson(exported->notes);
  std::string text;
  for (const CastSet& set : exported->sets) text += set.name + '\n' + writtenLines(set.written);
  if (!isFolder)
    text += fmt::format("{} actor{}\n", exported->actors, exported->actors == 1 ? "" : "s");
  for (const PlacementFile& file : exported->placement) {
    text += fmt::format("  {}  {} bytes  {}\n", file.xxh3, file.bytes, file.name);
  }
  shell.remark(exported->notes);
  return shell.finish(documentText(document), text);
}

}  // namespace

Command addExport(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<ExportCommandOptions>();
  CLI::App* app = root.add_subcommand(
      "export", "Write a baked folder or a project for engines, without baking what is baked");
  app->add_option("PROJECT-or-DIR", options->input,
                  "A .crowd project, or a folder that 'kiln bake' wrote")
      ->required();
  app->add_option("-o,--output", options->folder, "The folder to write into")
      ->required()
      ->option_text("DIR");
  addExportOptions(*app, options->exports);
  app->add_option("--against", options->against,
                  "The rig of an atlas folder and files that add clips (default: the path in it)")
      ->option_text("FILE...");
  addSettingsOption(*app);
  addShellOptions(*app, shell, true);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli
