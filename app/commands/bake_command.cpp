#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands/bake_report.h"
#include "app/commands/choices.h"
#include "app/commands/commands.h"
#include "app/commands/event_options.h"
#include "app/commands/export_options.h"
#include "app/commands/options.h"
#include "app/commands/shell.h"
#include "core/bake/bake.h"
#include "core/bake/bake_error.h"
#include "core/base/files.h"
#include "core/base/utf8.h"
#include "core/export/atlas_folder.h"
#include "core/project/atlas_events.h"

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

// Reads the atlas's image sets from the written files. Events are compared if a sidecar can hold
// them.
Result<std::vector<SetCheck>> readBack(const fs::path& folder, const std::string& name,
                                       const Atlas& atlas, const ExportSettings& wanted) {
  const auto found = readAtlasFolder(folder);
  if (!found) return tl::unexpected(found.error());
  std::vector<SetCheck> checks;
  for (const FoundAtlas& set : *found) {
    if (set.name != name) continue;
    const bool sameEvents =
        !wanted.kinds.contains(ExportKind::Json) || set.clipEvents == wanted.clipEvents;
    checks.push_back({set.name, set.kind, set.atlas == atlas && sameEvents});
  }
  return checks;
}

int run(const BakeCommandOptions& options, const Shell& shell) {
  ScreenOptions screen = options.screen;
  const auto limits = limitsFrom(options.limits, screen);
  if (!limits) return shell.fail(limits.error());
  const JobContext job = shell.job();

  const auto character = importFiles(options.import, job.part(0.0f, 0.2f));
  if (!character) return shell.fail(character.error());
  const auto settings = bakeSettings(options.bake, *character);
  if (!settings) return shell.fail(settings.error());
  ExportSettings wanted = exportSettings(options.exports);
  wanted.character = &*character;
  const auto files = fittedFiles(options.import);
  if (!files) return shell.fail(files.error());
  wanted.clipSources = clipSourcesOf(*files);
  if (auto ok = checkExport(settings->encoding, wanted); !ok) {
    return shell.fail("--export: " + ok.error().message);
  }
  const auto clips = clipsWithEvents(options.bake.events, *character, settings->clips);
  if (!clips) return shell.fail(clips.error());
  if (!options.bake.events.empty() && !wanted.kinds.contains(ExportKind::Json)) {
    return shell.fail(std::string("--event: events are kept in the sidecar; export json as well"));
  }
  auto baked = bake(*character, *settings, job.part(0.2f, 0.5f));
  if (!baked) return shell.fail(baked.error());
  if (!isUtf8(baked->atlas.sourcePath)) baked->atlas.sourcePath.clear();
  const auto error = measureBakeError(*character, baked->atlas, {.screen = screenView(screen)},
                                      job.part(0.5f, 0.9f));
  if (!error) return shell.fail(error.error());

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
  if (!written) return shell.fail(written.error());
  report.written = std::move(*written);
  // A sidecar alone has no texels to read back.
  if (wanted.kinds != ExportKinds{ExportKind::Json}) {
    auto sets = readBack(folder, report.name, baked->atlas, wanted);
    if (!sets) return shell.fail(sets.error());
    report.sets = std::move(*sets);
  }
  report.limits = limitChecks(*limits, settings->reading, report);

  shell.remark(report.notes);
  const int exitCode = allMet(report) ? kDone : kLimitNotMet;
  return shell.finish(documentText(reportJson({report})), reportText(report), exitCode);
}

}  // namespace

Command addBake(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<BakeCommandOptions>();
  CLI::App* app =
      root.add_subcommand("bake", "Import, bake, write the atlas folder, read it back and compare");
  addImportOptions(*app, options->import);
  app->add_option("-o,--output", options->folder, "The folder to write into")
      ->required()
      ->option_text("DIR");
  addBakeOptions(*app, options->bake);
  addEventOption(*app, options->bake.events);
  addLimitOptions(*app, options->limits);
  addScreenOptions(*app, options->screen);
  addExportOptions(*app, options->exports);
  addSettingsOption(*app);
  addShellOptions(*app, shell, true);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli
