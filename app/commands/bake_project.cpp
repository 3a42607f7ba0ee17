#include "app/commands/bake_project.h"

#include <fmt/format.h>

#include "app/commands/read_back.h"
#include "core/bake/bake.h"
#include "core/bake/bake_error.h"
#include "core/base/files.h"
#include "core/base/utf8.h"
#include "core/project/cast_export.h"
#include "core/project/character_stage.h"
#include "core/project/characters.h"
#include "core/project/pipeline.h"
#include "core/project/project_json.h"

namespace ck::cli {
namespace {

// A character of the project, baked and measured.
struct BakedCharacter {
  CastAtlas atlas;
  ChosenComponents components;
  Notes notes;
};

// `notes` gets what the import says, also if the bake fails.
UsageResult<BakedCharacter> bakeOne(const ProjectCharacter& asked,
                                    const ProjectBakeOptions& options, const ScreenView& screen,
                                    Notes& notes, const JobContext& job) {
  auto source = readCharacterSource(asked, job.part(0.0f, 0.2f));
  if (!source) return tl::unexpected(source.error());
  notes = source->character->notes;
  BakedCharacter one;
  one.atlas.character = source->character;
  one.atlas.settings = settingsFor(asked, *source);
  const BakeSettings settings = bakeInputs(one.atlas.settings);
  if (auto ok = checkExport(settings.encoding, options.exports); !ok) {
    return tl::unexpected("--export: " + ok.error().message);
  }
  if (auto ok = checkTicked(one.atlas.settings, *source->character); !ok) {
    return tl::unexpected(ok.error());
  }
  auto baked = bake(*source->character, settings, job.part(0.2f, 0.5f));
  if (!baked) return tl::unexpected(baked.error());
  if (!isUtf8(baked->atlas.sourcePath)) baked->atlas.sourcePath.clear();
  auto error =
      measureBakeError(*source->character, baked->atlas, {.screen = screen}, job.part(0.5f, 1.0f));
  if (!error) return tl::unexpected(error.error());
  one.atlas.error = std::move(*error);
  one.atlas.atlas = std::make_shared<const Atlas>(std::move(baked->atlas));
  one.components = baked->components;
  notes.insert(notes.end(), baked->notes.begin(), baked->notes.end());
  one.notes = notes;
  return one;
}

void nameNotes(Notes& notes, const std::string& title) {
  for (Note& note : notes) note.message = fmt::format("{}: {}", title, note.message);
}

}  // namespace

UsageResult<BakedProject> bakeProject(const ProjectBakeOptions& options, const JobContext& job) {
  const std::filesystem::path path = pathFromText(options.project);
  const auto project = readProjectFile(path);
  if (!project) return tl::unexpected(project.error());
  if (project->characters.front().sources.empty()) {
    return tl::unexpected(
        Error{ErrorCode::InvalidInput,
              fmt::format("{}: the project has no rig; import one into it", options.project),
              options.project});
  }
  const ScreenView screen = screenView(options.screen, project->view.screen);
  std::vector<BakedCharacter> all;
  Notes notesSoFar;
  const int count = characterCount(*project);
  for (int c = 0; c < count; ++c) {
    const ProjectCharacter& asked = project->characters[std::size_t(c)];
    if (asked.variantOf) continue;
    const std::string title = characterTitle(*project, c);
    const auto share = [&](int done) { return 0.9f * float(done) / float(count); };
    Notes notes;
    auto one = bakeOne(asked, options, screen, notes, job.part(share(c), share(c + 1)));
    if (c > 0) nameNotes(notes, title);
    notesSoFar.insert(notesSoFar.end(), notes.begin(), notes.end());
    if (!one) {
      Refusal why = one.error();
      if (c > 0) why.error.message = fmt::format("{}: {}", title, why.error.message);
      why.notes = std::move(notesSoFar);
      return tl::unexpected(std::move(why));
    }
    one->atlas.number = c;
    if (c > 0) one->atlas.title = title;
    one->notes = std::move(notes);
    all.push_back(std::move(*one));
  }
  std::vector<CastAtlas> cast;
  for (const BakedCharacter& one : all) cast.push_back(one.atlas);
  const std::filesystem::path folder = pathFromText(options.folder);
  const std::string name = safeFileName(pathText(path.stem()));
  ExportSettings settings = options.exports;
  keepAtlasBeside(path, name, folder, settings);
  auto written = exportCast(cast, name, folder, settings, &*project, job.part(0.9f, 1.0f));
  if (!written) {
    Refusal why(written.error());
    why.notes = std::move(notesSoFar);
    return tl::unexpected(std::move(why));
  }
  BakedProject result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CastAtlas& one = all[i].atlas;
    result.atlases.push_back(one.atlas);
    BakeReport& report = result.reports.emplace_back();
    report.name = written->sets[i].name;
    report.atlas = one.atlas.get();
    report.error = *one.error;
    report.components = all[i].components;
    report.written = std::move(written->sets[i].written);
    report.notes = std::move(all[i].notes);
    report.notes.insert(report.notes.end(), report.written.notes.begin(),
                        report.written.notes.end());
    auto checks = readBack(folder, report.name, report.written);
    if (!checks) return tl::unexpected(checks.error());
    report.sets = std::move(*checks);
    report.limits = limitChecks(options.limits, options.reading, report);
  }
  return result;
}

}  // namespace ck::cli
