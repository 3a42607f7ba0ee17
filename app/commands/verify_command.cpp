#include <fmt/format.h>

#include <map>
#include <memory>
#include <span>

#include "app/commands/bake_report.h"
#include "app/commands/choices.h"
#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/commands/shell.h"
#include "app/commands/source_lookup.h"
#include "core/bake/bake_window.h"
#include "core/bake/morph_bake.h"
#include "core/base/files.h"
#include "core/export/atlas_folder.h"
#include "core/export/sidecar_json.h"
#include "core/project/atlas_events.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 30;

struct VerifyOptions {
  std::string folder;
  std::vector<std::string> against;
  Reading reading = Reading::Palette;
  LimitOptions limits;
};

// The files of the atlas that exist in the folder.
Result<std::vector<ExportedFile>> filesOf(const fs::path& folder, const std::string& name) {
  std::vector<ExportedFile> files;
  for (const ExportFormat& format : kExportFormats) {
    const std::string file = fileNameOf(name, format.kind);
    const fs::path path = folder / pathFromText(file);
    std::error_code failed;
    if (!fs::exists(path, failed)) continue;
    const auto bytes = readFile(path, kLargestFile);
    if (!bytes) return tl::unexpected(bytes.error());
    files.push_back({file, format.kind, bytes->size(), hashText(hashBytes(*bytes))});
  }
  return files;
}

// Compares the figures in the sidecar with the measured ones.
Result<void> checkStated(const fs::path& folder, const std::string& name,
                         const BakeError& measured) {
  const std::string file = fileNameOf(name, ExportKind::Json);
  const fs::path path = folder / pathFromText(file);
  std::error_code missing;
  if (!fs::exists(path, missing)) return {};
  const auto bytes = readFile(path, kLargestFile);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto stated = statedError({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!stated) {
    return fail(stated.error().code, fmt::format("{}: {}", file, stated.error().message), file);
  }
  if (!stated->has_value()) return {};
  const std::string wrong = firstFalseFigure(**stated, measured);
  if (wrong.empty()) return {};
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("{}: {}; the figures are not those of this atlas, so bake it again", file, wrong),
      file);
}

// Compares what plays beside the poses, morph weights and events, with the source.
Result<void> checkMotion(const Character& source, const FoundAtlas& set, const JobContext& job) {
  std::vector<BakeWindow> windows;
  for (const AtlasClip& clip : set.atlas.clips) {
    auto window = bakedWindow(source, clip);
    if (!window) return tl::unexpected(window.error());
    windows.push_back(std::move(*window));
  }
  if (auto ok = checkBakedMorphs(source, windows, set.atlas.morphs, job); !ok) return ok;
  const std::string wrong = firstFalseEvent(set.atlas, source, set.clipEvents);
  if (wrong.empty()) return {};
  const std::string file = fileNameOf(set.name, ExportKind::Json);
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("{}: {}; the events are not those of this atlas, so bake it again", file, wrong),
      file);
}

// Measures the first image set of a name and compares the others of that name with it.
UsageResult<BakeReport> check(const VerifyOptions& options, std::span<const FoundAtlas* const> sets,
                              JobContext job) {
  const fs::path folder = pathFromText(options.folder);
  BakeReport report;
  report.name = sets.front()->name;
  report.atlas = &sets.front()->atlas;
  const auto source = findSource(*sets.front(), folder, options.against, job.part(0.0f, 0.3f));
  if (!source) return tl::unexpected(source.error());
  auto error = measureBakeError(*source, *report.atlas, job.part(0.3f, 1.0f));
  if (!error) return tl::unexpected(error.error());
  report.error = std::move(*error);
  auto files = filesOf(folder, report.name);
  if (!files) return tl::unexpected(files.error());
  report.files = std::move(*files);
  for (const FoundAtlas* set : sets) {
    report.sets.push_back({set->name, set->kind, set->atlas == *report.atlas});
  }
  for (const Note& note : source->notes) {
    if (note.code == "SourceDiffers") report.notes.push_back(note);
  }
  // Against another source, different figures are not an error.
  if (report.notes.empty()) {
    // Wrong weights give wrong figures as well; the sentence about weights says more.
    if (auto ok = checkMotion(*source, *sets.front(), job); !ok) return tl::unexpected(ok.error());
    if (auto ok = checkStated(folder, report.name, report.error); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  return report;
}

int run(const VerifyOptions& options, const Shell& shell) {
  const auto mostBytes = byteLimit(options.limits);
  if (!mostBytes) return shell.fail(mostBytes.error());
  const JobContext job = shell.job();
  const auto found = readAtlasFolder(pathFromText(options.folder));
  if (!found) return shell.fail(found.error());
  std::map<std::string, std::vector<const FoundAtlas*>> byName;
  for (const FoundAtlas& set : *found) byName[set.name].push_back(&set);

  std::vector<BakeReport> reports;
  std::string text;
  bool good = true;
  for (const auto& [name, sets] : byName) {
    auto report = check(options, sets, job);
    if (!report) return shell.fail(report.error());
    report->limits = limitChecks(options.limits, *mostBytes, options.reading, *report);
    good = good && allMet(*report);
    text += reportText(*report);
    shell.remark(report->notes);
    reports.push_back(std::move(*report));
  }
  return shell.finish(documentText(reportJson(reports)), text, good ? kDone : kLimitNotMet);
}

}  // namespace

Command addVerify(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* app = root.add_subcommand(
      "verify", "Decode an atlas folder and report its error against the source rig");
  app->add_option("DIR", options->folder, "The folder that 'kiln bake' wrote")->required();
  app->add_option("--against", options->against,
                  "The rig and files that add clips (default: the path in the atlas)")
      ->option_text("FILE...");
  addReadingOption(*app, options->reading);
  addLimitOptions(*app, options->limits);
  addShellOptions(*app, shell, true);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli
