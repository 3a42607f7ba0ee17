#include "ui/document/atlas_exports.h"

#include <spdlog/spdlog.h>

#include "core/base/log.h"
#include "core/container/atlas_file.h"
#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"
#include "ui/document/session.h"
#include "ui/document/text.h"

namespace ck::ui {

std::vector<CastAtlas> atlasesToExport(const Project& project, const Session& session) {
  std::vector<CastAtlas> atlases;
  for (int c = 0; c < characterCount(project); ++c) {
    const ProjectCharacter& asked = project.characters[std::size_t(c)];
    const LoadedCharacter& loaded = session.of(c);
    if (asked.variantOf || !loaded.atlas) continue;
    CastAtlas& one = atlases.emplace_back();
    one.number = c;
    if (c > 0) one.title = characterTitle(project, c);
    one.character = loaded.character();
    one.atlas = loaded.atlas;
    one.settings = settingsFor(asked, *loaded.source);
    if (const BakeError* error = session.bakedError(c)) one.error = *error;
  }
  return atlases;
}

std::vector<int> charactersToBake(const Project& project, const Session& session) {
  std::vector<int> due;
  for (int c = 0; c < characterCount(project); ++c) {
    const BakeState state = session.bakeState(c);
    const bool isDue = state >= BakeState::Missing && state != BakeState::UpToDate;
    if (isDue && baseOf(project, c) == c) due.push_back(c);
  }
  return due;
}

void keepAtlasBeside(const Session& session, TaskRunner& tasks, const QString& projectPath) {
  if (session.bakeState(0) != BakeState::UpToDate) return;
  const auto file = atlasBeside(pathFromText(utf8Of(projectPath)));
  const auto work = [atlas = session.atlas(0), file](const JobContext&) -> TaskRunner::Deliver {
    const Result<void> written = writeAtlasFile(*atlas, file);
    if (!written) log().warn("{}", written.error().message);
    return {};
  };
  tasks.start(QStringLiteral("keep"), Session::tr("Saving"), work);
}

}  // namespace ck::ui
