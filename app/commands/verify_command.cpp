#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>

#include "app/commands/bake_report.h"
#include "app/commands/choices.h"
#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/commands/shell.h"
#include "app/commands/source_lookup.h"
#include "core/bake/bake_error.h"
#include "core/bake/bake_window.h"
#include "core/bake/morph_bake.h"
#include "core/base/files.h"
#include "core/container/atlas_file.h"
#include "core/export/atlas_folder.h"
#include "core/export/error_json.h"
#include "core/export/set_findings.h"
#include "core/export/sidecar_json.h"
#include "core/export/targets/impostor_folder.h"
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
  ScreenOptions screen;
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

// The targets of a sidecar whose files are there and are those that it was written for. Targets
// with a missing file are left out: what was moved elsewhere is no fault.
Result<std::vector<ExportedTarget>> targetsOf(const fs::path& folder, const std::string& name) {
  const std::string sidecarName = fileNameOf(name, ExportKind::Json);
  std::error_code missing;
  if (!fs::exists(folder / pathFromText(sidecarName), missing)) return {};
  const auto text = readFile(folder / pathFromText(sidecarName), kLargestFile);
  if (!text) return tl::unexpected(text.error());
  auto sidecar = sidecarFromText({reinterpret_cast<const char*>(text->data()), text->size()});
  if (!sidecar) return tl::unexpected(sidecar.error());
  const auto isMissing = [&](const ExportedTargetFile& file) {
    return !fs::exists(folder / pathFromText(file.name), missing);
  };
  std::erase_if(sidecar->targets, [&](const ExportedTarget& target) {
    return !targetKindFromName(target.kind) || std::ranges::any_of(target.files, isMissing);
  });
  for (const ExportedTarget& target : sidecar->targets) {
    for (const ExportedTargetFile& file : target.files) {
      const auto bytes = readFile(folder / pathFromText(file.name), kLargestFile);
      if (!bytes) return tl::unexpected(bytes.error());
      if (bytes->size() == file.bytes && hashText(hashBytes(*bytes)) == file.xxh3) continue;
      return fail(
          ErrorCode::InvalidInput,
          fmt::format("{}: it is not the file that {} was written for; export the set again",
                      file.name, sidecarName),
          file.name);
    }
  }
  return std::move(sidecar->targets);
}

// Decodes the impostors that are among the targets, and holds them against the atlas.
Result<void> checkImpostors(const std::vector<ExportedTarget>& targets, const fs::path& folder,
                            const FoundAtlas& set, const JobContext& job) {
  const ExportTarget& target = exportTarget(TargetKind::Impostors);
  if (std::ranges::find(targets, target.name, &ExportedTarget::kind) == targets.end()) return {};
  const std::string name = set.name + std::string(target.ending);
  const auto impostors = readImpostors(folder / pathFromText(name), set.name, {.job = job});
  if (!impostors) return tl::unexpected(impostors.error());
  if (auto same = checkImpostorsOf(*impostors, set.atlas); !same) {
    return fail(same.error().code, fmt::format("{}: {}", name, same.error().message), name);
  }
  return {};
}

// The errors that the files of an atlas state, by the names of the files.
using Stated = std::vector<std::pair<std::string, BakeError>>;

Result<Stated> readStated(const fs::path& folder, const std::string& name) {
  Stated stated;
  for (const ExportKind kind : {ExportKind::Json, ExportKind::Ckatlas}) {
    const std::string file = fileNameOf(name, kind);
    const fs::path path = folder / pathFromText(file);
    std::error_code missing;
    if (!fs::exists(path, missing)) continue;
    const auto bytes = readFile(path, kLargestFile);
    if (!bytes) return tl::unexpected(bytes.error());
    if (kind == ExportKind::Ckatlas) {
      const auto whole = atlasFileFromBytes(*bytes);
      if (whole && whole->error) stated.emplace_back(file, *whole->error);
      continue;
    }
    const auto found = statedError({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    if (!found) {
      return fail(found.error().code, fmt::format("{}: {}", file, found.error().message), file);
    }
    if (found->has_value()) stated.emplace_back(file, **found);
  }
  return stated;
}

// Compares the figures of all files with the measured ones.
Result<void> checkStated(const Stated& stated, const BakeError& measured) {
  for (const auto& [file, error] : stated) {
    const std::string wrong = firstFalseFigure(error, measured);
    if (wrong.empty()) continue;
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: {}; the figures are not those of this atlas, so bake it again",
                            file, wrong),
                file);
  }
  return {};
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
  const auto stated = readStated(folder, report.name);
  if (!stated) return tl::unexpected(stated.error());
  // Without options the view is the one that is stated.
  const ScreenView view = screenView(
      options.screen, stated->empty() ? ScreenView() : stated->front().second.view);
  auto error = measureBakeError(*source, *report.atlas, {.screen = view}, job.part(0.3f, 1.0f));
  if (!error) return tl::unexpected(error.error());
  report.error = std::move(*error);
  auto files = filesOf(folder, report.name);
  if (!files) return tl::unexpected(files.error());
  report.written.files = std::move(*files);
  auto targets = targetsOf(folder, report.name);
  if (!targets) return tl::unexpected(targets.error());
  report.written.targets = std::move(*targets);
  if (auto ok = checkImpostors(report.written.targets, folder, *sets.front(), job); !ok) {
    return tl::unexpected(ok.error());
  }
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
    if (auto ok = checkStated(*stated, report.error); !ok) return tl::unexpected(ok.error());
  }
  return report;
}

Json findingsJson(const std::vector<SetFinding>& findings) {
  return jsonList(findings, [](const SetFinding& finding) -> Json {
    return {{"kind", setFindingName(finding.kind)},
            {"set", finding.set},
            {"what", finding.what},
            {"message", finding.message}};
  });
}

std::string findingsText(const std::vector<SetFinding>& findings) {
  std::string text;
  for (const SetFinding& finding : findings) text += finding.message + '\n';
  return text;
}

int run(VerifyOptions options, const Shell& shell) {
  const auto limits = limitsFrom(options.limits, options.screen);
  if (!limits) return shell.fail(limits.error());
  const JobContext job = shell.job();
  const auto findings = setFindings(pathFromText(options.folder));
  const bool areMixed =
      std::ranges::find(findings, SetFinding::Kind::Mixed, &SetFinding::kind) != findings.end();
  if (areMixed) {
    return shell.finish(documentText({{"findings", findingsJson(findings)}}),
                        findingsText(findings), kLimitNotMet);
  }
  const auto found = readAtlasFolder(pathFromText(options.folder), {.job = job});
  if (!found) return shell.fail(found.error());
  std::map<std::string, std::vector<const FoundAtlas*>> byName;
  for (const FoundAtlas& set : *found) byName[set.name].push_back(&set);

  std::vector<BakeReport> reports;
  std::string text;
  bool good = findings.empty();
  for (const auto& [name, sets] : byName) {
    auto report = check(options, sets, job);
    if (!report) return shell.fail(report.error());
    report->limits = limitChecks(*limits, options.reading, *report);
    good = good && allMet(*report);
    text += reportText(*report);
    shell.remark(report->notes);
    reports.push_back(std::move(*report));
  }
  Json document = reportJson(reports);
  if (!findings.empty()) document["findings"] = findingsJson(findings);
  text += findingsText(findings);
  return shell.finish(documentText(document), text, good ? kDone : kLimitNotMet);
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
  addScreenOptions(*app, options->screen, ", or as the atlas states");
  addShellOptions(*app, shell, true);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli
