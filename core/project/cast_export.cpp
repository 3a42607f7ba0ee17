#include "core/project/cast_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/base/files.h"
#include "core/base/utf8.h"
#include "core/export/export_format.h"
#include "core/project/atlas_events.h"
#include "core/project/character_stage.h"
#include "core/project/source_files.h"

namespace ck {
namespace {

// Different titles may give equal file names, and some file systems ignore case.
std::string freeName(const std::string& wanted, std::set<std::string>& taken) {
  const auto small = [](std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  };
  std::string name = wanted;
  for (int number = 2; !taken.insert(small(name)).second; ++number) {
    name = fmt::format("{}-{}", wanted, number);
  }
  return name;
}

}  // namespace

Notes exportNotes(std::span<const CastSet> sets) {
  Notes notes;
  for (const CastSet& set : sets) {
    notes.insert(notes.end(), set.written.notes.begin(), set.written.notes.end());
  }
  return notes;
}

std::vector<std::string> castSetNames(std::span<const std::string> titles,
                                      const std::string& name) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    names.push_back(freeName(i == 0 ? name : name + "-" + safeFileName(titles[i]), taken));
  }
  return names;
}

Result<std::vector<CastSet>> exportCast(std::span<const CastAtlas> atlases, const std::string& name,
                                        const std::filesystem::path& folder,
                                        const ExportSettings& settings, const JobContext& job) {
  std::vector<CastSet> sets;
  std::vector<std::string> titles;
  for (const CastAtlas& one : atlases) titles.push_back(one.title);
  const std::vector<std::string> names = castSetNames(titles, name);
  const auto steps = static_cast<float>(atlases.size());
  for (std::size_t i = 0; i < atlases.size(); ++i) {
    const CastAtlas& one = atlases[i];
    ExportSettings own = settings;
    std::vector<ImportFile> files;
    for (const SourceFile& source : one.settings.sources) {
      files.emplace_back(pathFromText(source.path), source.fit);
    }
    own.clipSources = clipSourcesOf(files);
    own.clipEvents = atlasEvents(*one.atlas, *one.character, one.settings.clips);
    own.character = one.character.get();
    std::vector<std::filesystem::path> sources = {pathFromText(one.character->source.path)};
    for (const ImportFile& file : files) sources.push_back(file.path);
    own.inputs = filesReadWith(std::move(sources), folder);
    own.inputs.insert(own.inputs.end(), settings.inputs.begin(), settings.inputs.end());
    // The atlas beside a project names its source as seen from there.
    const std::string& source = one.character->source.path;
    std::optional<Atlas> renamed;
    if (one.atlas->sourcePath != source && isUtf8(source)) {
      renamed = *one.atlas;
      renamed->sourcePath = source;
    }
    CastSet& set = sets.emplace_back();
    set.number = one.number;
    set.name = names[i];
    auto written = exportAtlas(
        renamed ? *renamed : *one.atlas, set.name, folder, own, one.error ? &*one.error : nullptr,
        job.part(static_cast<float>(i) / steps, static_cast<float>(i + 1) / steps));
    if (!written) return tl::unexpected(written.error());
    set.written = std::move(*written);
  }
  return sets;
}

void keepAtlasBeside(const std::filesystem::path& projectFile, const std::string& name,
                     const std::filesystem::path& folder, ExportSettings& settings) {
  if (projectFile.empty()) return;
  settings.inputs.push_back(projectFile);
  const std::filesystem::path own = folder / pathFromText(fileNameOf(name, ExportKind::Ckatlas));
  std::error_code failed;
  if (std::filesystem::equivalent(own, atlasBeside(projectFile), failed)) {
    settings.kinds.insert(ExportKind::Ckatlas);
  }
}

Result<TargetForecast> forecastOf(std::span<const CastAtlas> atlases, TargetKind kind,
                                  const JobContext& job) {
  const ExportTarget& target = exportTarget(kind);
  TargetForecast forecast;
  for (const CastAtlas& one : atlases) {
    const TargetInput input = {*one.character, *one.atlas, one.character->name,
                               one.error ? &*one.error : nullptr};
    const auto files = target.files(input, job);
    if (!files) return tl::unexpected(files.error());
    for (const TargetFile& file : *files) forecast.bytes += file.bytes.size();
    if (target.losses != nullptr) {
      for (std::string& loss : target.losses(input)) {
        if (std::ranges::find(forecast.losses, loss) != forecast.losses.end()) continue;
        forecast.losses.push_back(std::move(loss));
      }
    }
    if (target.shown == nullptr) continue;
    const auto shown = target.shown(input, job);
    if (!shown) return tl::unexpected(shown.error());
    forecast.maxMm = std::max(forecast.maxMm.value_or(0.0), shown->max);
  }
  return forecast;
}

}  // namespace ck
