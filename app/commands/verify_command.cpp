#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/commands/cast.h"
#include "app/commands/commands.h"
#include "app/options/shell.h"
#include "core/bake/bake_window.h"
#include "core/bake/morph_bake.h"
#include "core/container/atlas_file.h"
#include "core/error/bake_error.h"
#include "core/export/atlas_folder.h"
#include "core/export/error_json.h"
#include "core/export/set_findings.h"
#include "core/export/sidecar_json.h"
#include "core/export/targets/impostor_folder.h"
#include "core/stage/atlas_events.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSidecar = std::uint64_t{64} << 20;
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 30;

struct VerifyOptions {
  InputOptions input;
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
    const auto hash = hashOfFile(path, kLargestFile);
    if (!hash) return tl::unexpected(hash.error());
    files.push_back({file, format.kind, fs::file_size(path, failed), hashText(*hash)});
  }
  return files;
}

// The targets of a sidecar whose files are there and are those that it was written for. Targets
// with a missing file are left out: what was moved elsewhere is no fault.
Result<std::vector<ExportedTarget>> targetsOf(const fs::path& folder, const std::string& name) {
  const std::string sidecarName = fileNameOf(name, ExportKind::Json);
  std::error_code missing;
  if (!fs::exists(folder / pathFromText(sidecarName), missing)) return {};
  const auto text = readFile(folder / pathFromText(sidecarName), kLargestSidecar);
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
      const fs::path path = folder / pathFromText(file.name);
      if (fs::file_size(path, missing) == file.bytes) {
        const auto hash = hashOfFile(path, file.bytes);
        if (!hash) return tl::unexpected(hash.error());
        if (hashText(*hash) == file.xxh3) continue;
      }
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
    if (kind == ExportKind::Ckatlas) {
      const auto atlas = readFullAtlasFile(path);
      if (atlas && atlas->error) stated.emplace_back(file, *atlas->error);
      continue;
    }
    const auto bytes = readFile(path, kLargestSidecar);
    if (!bytes) return tl::unexpected(bytes.error());
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
    auto window = bakedWindow(source, set.atlas.recipe, clip);
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

// Measures the first image of a set and compares the others with it.
UsageResult<CharacterResult> checkSet(const VerifyOptions& options, const ScreenOptions& screen,
                                      const fs::path& folder, const FolderSet& set,
                                      const JobContext& job) {
  const Character& source = *set.source->character;
  const FoundAtlas& first = set.images.front();
  CharacterResult result;
  result.name = set.name;
  result.cast.atlas = std::make_shared<const Atlas>(first.atlas);
  result.cast.settings.bake.reading = options.input.bake.settings.reading;
  const auto stated = readStated(folder, set.name);
  if (!stated) return tl::unexpected(stated.error());
  // Without options the view is the one that is stated.
  const ScreenView view =
      screenView(screen, stated->empty() ? ScreenView() : stated->front().second.view);
  auto error = measureBakeError(source, first.atlas, {.screen = view}, job);
  if (!error) return tl::unexpected(error.error());
  result.cast.error = std::move(*error);
  auto files = filesOf(folder, set.name);
  if (!files) return tl::unexpected(files.error());
  result.written.files = std::move(*files);
  auto targets = targetsOf(folder, set.name);
  if (!targets) return tl::unexpected(targets.error());
  result.written.targets = std::move(*targets);
  if (auto ok = checkImpostors(result.written.targets, folder, first, job); !ok) {
    return tl::unexpected(ok.error());
  }
  for (const FoundAtlas& image : set.images) {
    result.sets.push_back({image.name, image.kind, image.atlas == first.atlas});
  }
  for (const Note& note : source.notes) {
    if (note.code == "SourceDiffers") result.notes.push_back(note);
  }
  // Against another source, different figures are not an error.
  if (result.notes.empty()) {
    // Wrong weights give wrong figures as well; the sentence about weights says more.
    if (auto ok = checkMotion(source, first, job); !ok) return tl::unexpected(ok.error());
    if (auto ok = checkStated(*stated, *result.cast.error); !ok) return tl::unexpected(ok.error());
  }
  return result;
}

UsageResult<std::vector<CharacterResult>> verifyFolder(const VerifyOptions& options,
                                                       const ScreenOptions& screen,
                                                       const ProjectInput& input,
                                                       const JobContext& job) {
  if (input.isReadAnew || input.isBakedAnew) {
    return tl::unexpected(
        fmt::format("--{}: a folder is verified as it lies there; bake it again, or verify its rig",
                    givenEdits(options.input.import.app).front()));
  }
  if (auto ok = checkSources(input); !ok) return tl::unexpected(ok.error());
  std::vector<CharacterResult> cast;
  for (const FolderSet& set : input.sets) {
    auto result = checkSet(options, screen, input.path, set, job);
    if (!result) return tl::unexpected(result.error());
    cast.push_back(std::move(*result));
  }
  return cast;
}

// Bakes in memory, and reads back what a container would hold.
UsageResult<std::vector<CharacterResult>> verifyBake(const VerifyOptions& options,
                                                     const ScreenOptions& screen,
                                                     const ProjectInput& input,
                                                     const JobContext& job) {
  Project project = input.project;
  project.props.clear();
  const auto scene = loadCast(std::move(project), input, options.input,
                              {.example = "kiln verify rig.glb walk.fbx"}, job.part(0.0f, 0.5f));
  if (!scene) return tl::unexpected(scene.error());
  auto cast =
      measuredCast(*scene, screenView(screen, scene->project.view.screen), job.part(0.5f, 1.0f));
  if (!cast) return cast;
  for (CharacterResult& one : *cast) {
    const Atlas& atlas = *one.cast.atlas;
    const auto read = atlasFileFromBytes(atlasToBytes(atlas, {&*one.cast.error}, job.threadCount));
    if (!read) return tl::unexpected(read.error());
    one.name = input.setNames[std::size_t(one.cast.number)];
    const bool same = read->atlas == atlas && read->error == one.cast.error;
    one.sets.push_back({one.name, ExportKind::Ckatlas, same});
  }
  return cast;
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

int run(const VerifyOptions& options, const Shell& shell) {
  ScreenOptions screen = options.screen;
  const auto limits = limitsFrom(options.limits, screen);
  if (!limits) return shell.fail(limits.error());
  const JobContext job = shell.job();
  const auto findings = setFindings(pathFromText(options.input.import.files.front()));
  if (std::ranges::find(findings, SetFinding::Kind::Mixed, &SetFinding::kind) != findings.end()) {
    return shell.finish({{"findings", findingsJson(findings)}}, findingsText(findings),
                        kLimitNotMet);
  }
  const auto input = projectFrom(options.input, job.part(0.0f, 0.3f));
  if (!input) return shell.fail(input.error());
  auto cast = input->kind == InputKind::Folder
                  ? verifyFolder(options, screen, *input, job.part(0.3f, 1.0f))
                  : verifyBake(options, screen, *input, job.part(0.3f, 1.0f));
  if (!cast) return shell.fail(cast.error());
  for (CharacterResult& one : *cast) one.limits = limitChecks(*limits, one);
  shell.remark(notesOf(*cast));
  Json document = resultsJson(*cast, input->overridden);
  if (!findings.empty()) document["findings"] = findingsJson(findings);
  return shell.finish(document, resultsText(*cast) + findingsText(findings),
                      allMet(*cast) && findings.empty() ? kDone : kLimitNotMet);
}

}  // namespace

Command addVerify(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* app = root.add_subcommand(
      "verify", "Decode an atlas, of a folder or baked in memory, and report its error");
  addInputOptions(*app, options->input);
  addBakeOptions(*app, options->input.bake);
  addLimitOptions(*app, options->limits);
  addScreenOptions(*app, options->screen, ", or as the project has it or the atlas states");
  addSettingsOption(*app);
  addShellOptions(*app, shell, true);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli
