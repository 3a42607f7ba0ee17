#include "core/stage/cast_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "core/base/utf8.h"
#include "core/export/export_format.h"
#include "core/project/actors/crowd_edits.h"
#include "core/project/actors/placement.h"
#include "core/project/source_files.h"
#include "core/stage/atlas_events.h"
#include "core/stage/character_stage.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

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

std::string textOrNothing(std::string text) {
  return isUtf8(text) ? std::move(text) : std::string();
}

// The settings of an export for one of its atlases.
ExportSettings settingsOf(const CastAtlas& one, const fs::path& folder,
                          const ExportSettings& settings) {
  ExportSettings own = settings;
  std::vector<ImportFile> files;
  for (const SourceFile& source : one.settings.sources) {
    files.emplace_back(pathFromText(source.path), source.fit);
  }
  own.clipSources = clipSourcesOf(files);
  for (ClipSource& source : own.clipSources) {
    source.path = textOrNothing(pathSeenFrom(folder, pathFromText(source.path)));
  }
  own.clipEvents = atlasEvents(*one.atlas, *one.character, one.settings.clips);
  own.character = one.character.get();
  std::vector<fs::path> sources = {pathFromText(one.character->source.path)};
  for (const ImportFile& file : files) sources.push_back(file.path);
  own.inputs = filesReadWith(std::move(sources), folder);
  own.inputs.insert(own.inputs.end(), settings.inputs.begin(), settings.inputs.end());
  return own;
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

std::string pathSeenFrom(const fs::path& folder, const fs::path& file) {
  std::error_code failed;
  const fs::path from = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  const fs::path full = fs::absolute(file, failed);
  const fs::path to = fs::weakly_canonical(full.parent_path(), failed) / full.filename();
  return pathText(to.lexically_relative(from).generic_string());
}

std::vector<std::string> castSetNames(std::span<const CastAtlas> atlases, const std::string& name) {
  std::vector<std::string> titles;
  for (const CastAtlas& one : atlases) titles.push_back(one.title);
  return castSetNames(titles, name);
}

Result<ExportedCast> exportCast(std::span<const CastAtlas> atlases,
                                std::span<const std::string> names, const fs::path& folder,
                                const ExportSettings& settings, const Project* project,
                                const JobContext& job) {
  std::vector<SetToExport> asked;
  for (std::size_t i = 0; i < atlases.size(); ++i) {
    const CastAtlas& one = atlases[i];
    const std::string& source = one.character->source.path;
    std::string path = source.empty() ? std::string() : pathSeenFrom(folder, pathFromText(source));
    asked.push_back({*one.atlas, names[i], textOrNothing(std::move(path)),
                     settingsOf(one, folder, settings), one.error ? &*one.error : nullptr});
  }
  std::vector<SceneFile> scene;
  Project shown = project != nullptr ? *project : Project();
  leaveHiddenOut(shown);
  if (shown.actors.size() > 0) {
    std::map<int, std::string> exported;
    for (std::size_t i = 0; i < names.size(); ++i) exported[atlases[i].number] = names[i];
    auto files = placementFiles(shown, setNamesOf(shown, exported));
    if (!files) return tl::unexpected(files.error());
    scene = std::move(*files);
  }
  auto written = exportSets(asked, scene, folder, job);
  if (!written) return tl::unexpected(written.error());
  ExportedCast cast{.setId = std::move(written->setId),
                    .placement = std::move(written->sceneFiles)};
  for (std::size_t i = 0; i < atlases.size(); ++i) {
    cast.sets.push_back({atlases[i].number, names[i], std::move(written->sets[i])});
  }
  return cast;
}

void keepAtlasBeside(const fs::path& projectFile, const std::string& name, const fs::path& folder,
                     ExportSettings& settings) {
  if (projectFile.empty()) return;
  settings.inputs.push_back(projectFile);
  const fs::path own = folder / pathFromText(fileNameOf(name, ExportKind::Ckatlas));
  std::error_code failed;
  if (fs::equivalent(own, atlasBeside(projectFile), failed)) {
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
