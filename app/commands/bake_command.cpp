#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "app/commands/bake_project.h"
#include "app/commands/bake_report.h"
#include "app/commands/choices.h"
#include "app/commands/commands.h"
#include "app/commands/event_options.h"
#include "app/commands/export_options.h"
#include "app/commands/options.h"
#include "app/commands/read_back.h"
#include "app/commands/shell.h"
#include "core/bake/bake.h"
#include "core/bake/bake_error.h"
#include "core/base/files.h"
#include "core/base/utf8.h"
#include "core/project/atlas_events.h"
#include "core/project/cast_export.h"
#include "core/project/characters.h"
#include "core/project/source_files.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

struct BakeCommandOptions {
  ImportOptions import;
  BakeOptions bake;
  LimitOptions limits;
  ScreenOptions screen;
  std::string folder;
  ExportOptions exports;
};

const char* const kExample = "kiln bake rig.glb walk.fbx -o out";

// Ends with the reports of one or more atlases.
int finish(const std::vector<BakeReport>& reports, const Shell& shell) {
  std::string text;
  bool met = true;
  for (const BakeReport& report : reports) {
    shell.remark(report.notes);
    text += reportText(report);
    met = met && allMet(report);
  }
  return shell.finish(documentText(reportJson(reports)), text, met ? kDone : kLimitNotMet);
}

int runProject(const BakeCommandOptions& options, const Limits& limits, const ScreenOptions& screen,
               const Shell& shell) {
  const std::string& project = options.import.files.front();
  if (options.import.files.size() > 1) {
    return shell.fail(fmt::format("{} names its own files", project));
  }
  ExportSettings exports = exportSettings(options.exports);
  exports.inputs = shell.inputs;
  const fs::path path = pathFromText(project);
  ExportSettings kept = exports;
  keepAtlasBeside(path, safeFileName(pathText(path.stem())), pathFromText(options.folder), kept);
  if (auto ok = checkActs(options.exports, kept); !ok) return shell.fail(ok.error());
  const auto baked = bakeProject({.project = project,
                                  .folder = options.folder,
                                  .limits = limits,
                                  .reading = options.bake.settings.reading,
                                  .screen = screen,
                                  .exports = std::move(exports)},
                                 shell.job());
  if (!baked) return shell.fail(baked.error());
  return finish(baked->reports, shell);
}

int run(const BakeCommandOptions& options, const Shell& shell) {
  ScreenOptions screen = options.screen;
  const auto limits = limitsFrom(options.limits, screen);
  if (!limits) return shell.fail(limits.error());
  if (isProjectPath(options.import.files.front())) {
    return runProject(options, *limits, screen, shell);
  }
  ExportSettings wanted = exportSettings(options.exports);
  if (auto ok = checkActs(options.exports, wanted); !ok) return shell.fail(ok.error());
  const JobContext job = shell.job();
  const auto character = importFiles(options.import, job.part(0.0f, 0.2f));
  if (!character) return shell.fail(character.error());
  const auto failWith = [&](Refusal why) {
    why.notes = character->notes;
    return shell.fail(std::move(why));
  };
  if (auto ok = checkClips(options.import, *character, kExample); !ok) return failWith(ok.error());
  const auto settings = bakeSettings(options.bake, *character);
  if (!settings) return failWith(settings.error());
  wanted.character = &*character;
  const auto files = fittedFiles(options.import);
  if (!files) return shell.fail(files.error());
  wanted.clipSources = clipSourcesOf(*files);
  std::vector<fs::path> sources;
  for (const ImportFile& file : *files) sources.push_back(file.path);
  wanted.inputs = filesReadWith(std::move(sources), pathFromText(options.folder));
  wanted.inputs.insert(wanted.inputs.end(), shell.inputs.begin(), shell.inputs.end());
  if (auto ok = checkExport(settings->encoding, wanted); !ok) {
    return failWith("--export: " + ok.error().message);
  }
  const auto clips = clipsWithEvents(options.bake.events, *character, settings->clips);
  if (!clips) return failWith(clips.error());
  if (!options.bake.events.empty() && !wanted.kinds.contains(ExportKind::Json)) {
    return failWith(std::string("--event: events are kept in the sidecar; export json as well"));
  }
  auto baked = bake(*character, *settings, job.part(0.2f, 0.5f));
  if (!baked) return failWith(baked.error());
  if (!isUtf8(baked->atlas.sourcePath)) baked->atlas.sourcePath.clear();
  const auto error = measureBakeError(*character, baked->atlas, {.screen = screenView(screen)},
                                      job.part(0.5f, 0.9f));
  if (!error) return failWith(error.error());

  wanted.clipEvents = atlasEvents(baked->atlas, *character, *clips);
  BakeReport report;
  report.atlas = &baked->atlas;
  report.error = *error;
  report.components = baked->components;
  report.name = safeFileName(pathText(pathFromText(options.import.files.front()).stem()));
  report.notes = character->notes;
  report.notes.insert(report.notes.end(), baked->notes.begin(), baked->notes.end());

  const fs::path folder = pathFromText(options.folder);
  auto written =
      exportAtlas(baked->atlas, report.name, folder, wanted, &report.error, job.part(0.9f, 1.0f));
  if (!written) return failWith(written.error());
  report.notes.insert(report.notes.end(), written->notes.begin(), written->notes.end());
  report.written = std::move(*written);
  auto sets = readBack(folder, report.name, report.written);
  if (!sets) return failWith(sets.error());
  report.sets = std::move(*sets);
  report.limits = limitChecks(*limits, settings->reading, report);

  return finish({report}, shell);
}

}  // namespace

Command addBake(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<BakeCommandOptions>();
  CLI::App* app =
      root.add_subcommand("bake", "Import, bake, write the atlas folder, read it back and compare");
  std::vector<const CLI::Option*> ofRig;  // what a project says itself
  const auto addOfRig = [&ofRig, app](auto&& add) {
    const std::size_t others = std::as_const(*app).get_options().size();
    add();
    const auto all = std::as_const(*app).get_options();
    ofRig.insert(ofRig.end(), all.begin() + static_cast<std::ptrdiff_t>(others), all.end());
  };
  addOfRig([&] { addImportOptions(*app, options->import); });
  app->add_option("-o,--output", options->folder, "The folder to write into")
      ->required()
      ->option_text("DIR");
  addOfRig([&] {
    addBakeOptions(*app, options->bake);
    addEventOption(*app, options->bake.events);
  });
  std::erase(ofRig, app->get_option("FILE"));
  std::erase(ofRig, app->get_option("--reading"));
  addLimitOptions(*app, options->limits);
  addScreenOptions(*app, options->screen);
  addExportOptions(*app, options->exports);
  addSettingsOption(*app);
  addShellOptions(*app, shell, true);
  return {app, [options, ofRig, &shell] {
            for (const CLI::Option* option : ofRig) {
              if (option->count() == 0 || !isProjectPath(options->import.files.front())) continue;
              return shell.fail(fmt::format("{}: a project says itself how it is read and baked",
                                            option->get_name()));
            }
            return run(*options, shell);
          }};
}

}  // namespace ck::cli
