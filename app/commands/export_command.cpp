#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands/cast.h"
#include "app/commands/commands.h"
#include "app/options/export_options.h"
#include "app/options/shell.h"
#include "core/project/actors/crowd_edits.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

struct ExportCommandOptions {
  InputOptions input;
  LimitOptions limits;
  ScreenOptions screen;
  std::string folder;
  ExportOptions exports;
};

Json setJson(const CharacterResult& result) {
  Json json = {{"name", result.name}};
  addWritten(json, result.written);
  addLimits(json, result.limits);
  return json;
}

Json placementJson(const Scene& scene, const std::vector<ExportedTargetFile>& files) {
  const auto fileJson = [](const ExportedTargetFile& file) -> Json {
    return {{"name", file.name}, {"bytes", file.bytes}, {"xxh3", file.xxh3}};
  };
  return {{"actors", scene.project.actors.size()}, {"files", jsonList(files, fileJson)}};
}

std::string placementText(const Scene& scene, const std::vector<ExportedTargetFile>& files) {
  const std::size_t count = scene.project.actors.size();
  std::string text = fmt::format("{} actor{}\n", count, count == 1 ? "" : "s");
  for (const ExportedTargetFile& file : files) {
    text += fmt::format("  {}  {} bytes  {}\n", file.xxh3, file.bytes, file.name);
  }
  return text;
}

int run(const ExportCommandOptions& options, const Shell& shell) {
  ScreenOptions screen = options.screen;
  const auto limits = limitsFrom(options.limits, screen);
  if (!limits) return shell.fail(limits.error());
  const JobContext job = shell.job();
  const auto input = projectFrom(options.input, job.part(0.0f, 0.2f));
  if (!input) return shell.fail(input.error());
  const std::filesystem::path folder = pathFromText(options.folder);
  const auto exports = exportSettings(options.exports, *input, folder, shell.inputs);
  if (!exports) return shell.fail(exports.error());
  const CastPlan plan = {.atlases = CastPlan::Atlases::Kept,
                         .example = "kiln export rig.glb walk.fbx -o out",
                         .check = [&](const ProjectCharacter& settings) {
                           return checkExports(options.input, *exports, settings);
                         }};
  auto scene = loadCast(input->project, *input, options.input, plan, job.part(0.2f, 0.4f));
  if (!scene) return shell.fail(scene.error());
  leaveHiddenOut(scene->project);
  auto cast =
      measuredCast(*scene, screenView(screen, scene->project.view.screen), job.part(0.4f, 0.6f));
  if (!cast) return shell.fail(cast.error());
  const auto actors = writeCast(*cast, *scene, *input, folder, *exports, job.part(0.6f, 1.0f));
  if (!actors) return shell.fail(actors.error());
  Json document;
  Notes notes = input->notes;
  notes.insert(notes.end(), scene->notes.begin(), scene->notes.end());
  std::string text;
  for (CharacterResult& one : *cast) {
    one.limits = limitChecks(*limits, one);
    document["sets"].push_back(setJson(one));
    text += one.name + '\n' + writtenLines(one.written) + limitLines(one.limits);
    notes.insert(notes.end(), one.written.notes.begin(), one.written.notes.end());
  }
  if (!actors->empty()) {
    document["placement"] = placementJson(*scene, *actors);
    text += placementText(*scene, *actors);
  }
  document["overridden"] = input->overridden;
  document["notes"] = notesJson(notes);
  shell.remark(notes);
  return shell.finish(document, text, allMet(*cast) ? kDone : kLimitNotMet);
}

}  // namespace

Command addExport(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<ExportCommandOptions>();
  CLI::App* app = root.add_subcommand(
      "export", "Write sets and players for engines, without baking what is baked already");
  addInputOptions(*app, options->input);
  addCrowdChoice(*app, options->input);
  app->add_option("-o,--output", options->folder, "The folder to write into")
      ->required()
      ->option_text("DIR");
  addBakeOptions(*app, options->input.bake);
  addLimitOptions(*app, options->limits);
  addScreenOptions(*app, options->screen, ", or as the project has it");
  addExportOptions(*app, options->exports);
  addSettingsOption(*app);
  addShellOptions(*app, shell, true);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli
