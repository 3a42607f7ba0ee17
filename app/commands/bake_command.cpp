#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands/cast.h"
#include "app/commands/commands.h"
#include "app/options/export_options.h"
#include "app/options/shell.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

struct BakeCommandOptions {
  InputOptions input;
  LimitOptions limits;
  ScreenOptions screen;
  std::string folder;
  ExportOptions exports;
};

int run(const BakeCommandOptions& options, const Shell& shell) {
  ScreenOptions screen = options.screen;
  const auto limits = limitsFrom(options.limits, screen);
  if (!limits) return shell.fail(limits.error());
  const JobContext job = shell.job();
  const auto input = projectFrom(options.input, job.part(0.0f, 0.1f));
  if (!input) return shell.fail(input.error());
  const std::filesystem::path folder = pathFromText(options.folder);
  const auto exports = exportSettings(options.exports, *input, folder, shell.inputs);
  if (!exports) return shell.fail(exports.error());
  const CastPlan plan = {.example = "kiln bake rig.glb walk.fbx -o out",
                         .check = [&](const ProjectCharacter& settings) {
                           return checkExports(options.input, *exports, settings);
                         }};
  Project project = input->project;
  project.props.clear();
  const auto scene =
      loadCast(std::move(project), *input, options.input, plan, job.part(0.1f, 0.5f));
  if (!scene) return shell.fail(scene.error());
  auto cast =
      measuredCast(*scene, screenView(screen, scene->project.view.screen), job.part(0.5f, 0.9f));
  if (!cast) return shell.fail(cast.error());
  const auto actors = writeCast(*cast, *scene, *input, folder, *exports, job.part(0.9f, 1.0f));
  if (!actors) return shell.fail(actors.error());
  for (CharacterResult& one : *cast) one.limits = limitChecks(*limits, one);
  shell.remark(notesOf(*cast));
  return shell.finish(resultsJson(*cast, input->overridden), resultsText(*cast),
                      allMet(*cast) ? kDone : kLimitNotMet);
}

}  // namespace

Command addBake(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<BakeCommandOptions>();
  CLI::App* app =
      root.add_subcommand("bake", "Import, bake, write the atlas folder, read it back and compare");
  addInputOptions(*app, options->input);
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
