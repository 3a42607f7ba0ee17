#include "app/options/export_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/options/choices.h"
#include "app/options/numbers.h"
#include "core/stage/cast_export.h"

namespace ck::cli {

void addExportOptions(CLI::App& app, ExportOptions& options) {
  auto* exports = app.add_option("--export", options.wanted, "What to write");
  exports->delimiter(',')->allow_extra_args(false);
  std::vector<std::string> names;
  for (const ExportFormat& format : kExportFormats) names.emplace_back(format.name);
  for (const ExportTarget& target : exportTargets()) names.emplace_back(target.name);
  offer(exports, names);
  app.add_option_function<std::string>(
         "--impostors",
         [&options](const std::string& text) {
           options.impostors = true;
           if (const auto bytes = bytesFrom(text)) options.impostorBytes = *bytes;
         },
         "Pictures of far actors, too, within BYTES; K is 1024, M 1024 K (default: 16M)")
      ->expected(0, 1)
      ->check(CLI::Validator(
          [](const std::string& text) {
            if (text.empty() || bytesFrom(text)) return std::string();
            return fmt::format("'{}' is not a size such as 800000, 512K or 2M", text);
          },
          ""))
      ->option_text("[BYTES]");
  app.add_flag("--only", options.only,
               "Remove files of an earlier export of the same set that --export does not name; "
               "without it they are written anew");
  addChoice(app, "--skin-uv", options.skinUv,
            wordsFor({SkinUv::None, SkinUv::Separate, SkinUv::Packed}, skinUvName),
            "Joints and weights as UV channels of the mesh, too");
}

ExportSettings exportSettings(const ExportOptions& options) {
  ExportSettings settings;
  settings.only = options.only;
  settings.skinUv = options.skinUv;
  settings.drawImpostors = render::impostorsWithin(options.impostorBytes);
  if (options.impostors) settings.targets.insert(TargetKind::Impostors);
  const auto addNeutral = [&settings] {
    for (const ExportTarget& target : exportTargets()) {
      if (isNeutral(target)) settings.targets.insert(target.kind);
    }
  };
  if (options.wanted.empty()) {
    addNeutral();
    return settings;
  }
  settings.kinds.clear();
  for (const std::string& word : options.wanted) {
    if (const auto kind = exportKindFromName(word)) settings.kinds.insert(*kind);
    const auto target = targetKindFromName(word);
    if (!target) continue;
    settings.targets.insert(*target);
    settings.kinds.insert(ExportKind::Json);
    if (isEngine(exportTarget(*target))) addNeutral();
  }
  settings.kinds = withSidecar(std::move(settings.kinds));
  return settings;
}

UsageResult<void> checkActs(const ExportOptions& options, const ExportSettings& settings) {
  if (options.skinUv == SkinUv::None || settings.targets.contains(TargetKind::Glb)) return {};
  return tl::unexpected(
      std::string("--skin-uv is for the mesh, which is not written; add glb to --export, or leave "
                  "--skin-uv out"));
}

UsageResult<ExportSettings> exportSettings(const ExportOptions& options, const ProjectInput& input,
                                           const std::filesystem::path& folder,
                                           const std::vector<std::filesystem::path>& inputs) {
  ExportSettings settings = exportSettings(options);
  settings.inputs = inputs;
  if (input.kind == InputKind::Project) {
    keepAtlasBeside(input.path, input.setNames.front(), folder, settings);
  }
  for (const FolderSet& set : input.sets) keepTexels(set, input.path, folder, settings);
  if (auto ok = checkActs(options, settings); !ok) return tl::unexpected(ok.error());
  return settings;
}

void keepTexels(const FolderSet& set, const std::filesystem::path& from,
                const std::filesystem::path& folder, ExportSettings& settings) {
  std::error_code failed;
  const bool writesTexels =
      std::ranges::any_of(settings.kinds, [](ExportKind kind) { return kind != ExportKind::Json; });
  if (writesTexels || !std::filesystem::equivalent(from, folder, failed)) return;
  for (const FoundAtlas& image : set.images) settings.kinds.insert(image.kind);
}

UsageResult<void> checkExports(const InputOptions& options, const ExportSettings& exports,
                               const ProjectCharacter& settings) {
  if (auto ok = checkExport(encodingOf(settings.bake), exports); !ok) {
    return tl::unexpected("--export: " + ok.error().message);
  }
  if (options.bake.clips.events.empty() || exports.kinds.contains(ExportKind::Json)) return {};
  return tl::unexpected(
      std::string("--event: events are kept in the sidecar; export json as well"));
}

void addWritten(Json& document, const ExportedSet& written) {
  const auto describe = [](const auto& file) -> Json {
    return {{"name", file.name}, {"bytes", file.bytes}, {"xxh3", file.xxh3}};
  };
  document["files"] = jsonList(written.files, describe);
  for (const ExportedTarget& target : written.targets) {
    Json json = {{"kind", target.kind}};
    if (target.shown) {
      json["vertex"] = {
          {"maxMm", target.shown->max}, {"p99Mm", target.shown->p99}, {"rmsMm", target.shown->rms}};
    }
    json["losses"] = target.losses;
    json["files"] = jsonList(target.files, &ExportedTargetFile::name);
    document["targets"].push_back(std::move(json));
    for (const ExportedTargetFile& file : target.files) document["files"].push_back(describe(file));
  }
  const auto describeStale = [](const ExportedTarget& target) -> Json {
    return {{"kind", target.kind}, {"files", jsonList(target.files, &ExportedTargetFile::name)}};
  };
  if (!written.stale.empty()) document["stale"] = jsonList(written.stale, describeStale);
}

std::string writtenLines(const ExportedSet& written) {
  std::string text;
  const auto addFile = [&text](const auto& file) {
    text += fmt::format("  {}  {} bytes  {}\n", file.xxh3, file.bytes, file.name);
  };
  for (const ExportedFile& file : written.files) addFile(file);
  for (const ExportedTarget& target : written.targets) {
    if (target.files.size() == 1) {
      addFile(target.files.front());
      continue;
    }
    std::uint64_t bytes = 0;
    for (const ExportedTargetFile& file : target.files) bytes += file.bytes;
    const std::string& first = target.files.front().name;
    text += fmt::format("  {} files, {} bytes in {}\n", target.files.size(), bytes,
                        first.substr(0, first.find('/')));
  }
  for (const ExportedTarget& target : written.targets) {
    const ExportTarget& row = exportTarget(*targetKindFromName(target.kind));
    if (target.shown) {
      text += fmt::format("  {}: {:.3f} mm at the vertices at most, p99 {:.3f}, rms {:.3f}\n",
                          row.title, target.shown->max, target.shown->p99, target.shown->rms);
    }
    for (const std::string& loss : target.losses) {
      text += fmt::format("  {}: {}\n", row.title, loss);
    }
  }
  return text;
}

}  // namespace ck::cli
