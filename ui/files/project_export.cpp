#include "ui/files/project_export.h"

#include <spdlog/spdlog.h>

#include <QFileInfo>
#include <QPointer>
#include <algorithm>

#include "core/base/log.h"
#include "core/project/actors/placement.h"
#include "core/project/characters.h"
#include "core/system/files.h"
#include "ui/document/atlas_exports.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/files/export_dialog.h"
#include "ui/files/export_report.h"
#include "ui/files/kept_export.h"
#include "ui/start/recent_files.h"

namespace ck::ui {

ProjectExport::ProjectExport(QWidget& window, Document& document, TaskRunner& tasks,
                             Session& session)
    : QObject(&window), window_(window), document_(document), tasks_(tasks), session_(session) {}

void ProjectExport::ask() {
  if (const QString why = whyNotExported(); !why.isEmpty()) return emit refused(why);
  const QString beside =
      document_.path().isEmpty() ? lastFolder() : QFileInfo(document_.path()).absolutePath();
  const KeptExport kept = keptExport(document_.path(), beside);
  int first = 0;
  while (!session_.character(first)) ++first;
  const QString name = textOf(safeFileName(session_.character(first)->name));
  const bool bakesFirst = !charactersToBake(document_.project(), session_).empty();
  auto* dialog = new ExportDialog(kept.folder, name, bakesFirst, kept.choice, &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  const auto atlases = atlasesToExport(document_.project(), session_);
  std::vector<std::string> titles;
  for (const CastAtlas& atlas : atlases) titles.push_back(atlas.title);
  dialog->setTitles(titles);
  dialog->setProject(document_.project(), document_.path());
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    keepExport(document_.path(), {dialog->folder(), dialog->choice()});
    bakeAndExport(dialog->folder(), dialog->name(), dialog->settings());
  });
  dialog->open();
  if (atlases.empty()) return;
  for (const ExportTarget& target : exportTargets()) {
    if (!isEngine(target)) continue;
    const auto work = [atlases, kind = target.kind](const JobContext& job) {
      return forecastOf(atlases, kind, job);
    };
    const auto take = [dialog = QPointer(dialog),
                       kind = target.kind](const Result<TargetForecast>& forecast) {
      if (dialog) dialog->setForecast(kind, forecast);
    };
    tasks_.run(QStringLiteral("forecast ") + textOf(target.name),
               tr("Looking at %1").arg(textOf(target.title)), work, take);
  }
}

// Characters whose files are missing have nothing to export; all others need a ticked clip.
QString ProjectExport::whyNotExported() const {
  const Project& project = document_.project();
  QString why = tr("There is nothing to export yet: import a rig with clips");
  for (int c = 0; c < characterCount(project); ++c) {
    const BakeState state = session_.bakeState(c);
    if (state == BakeState::NothingTicked) {
      return characterCount(project) == 1
                 ? tr("There is nothing to export yet: tick a clip")
                 : tr("Nothing of %1 can be exported yet: tick a clip of it")
                       .arg(nameText(characterTitle(project, c)));
    }
    if (state > BakeState::NothingTicked) why.clear();
  }
  return why;
}

void ProjectExport::bakeAndExport(const QString& folder, const QString& name,
                                  const ExportSettings& settings) {
  const std::vector<int> due = charactersToBake(document_.project(), session_);
  if (due.empty()) return exportTo(folder, name, settings);
  disconnect(afterBake_);
  for (const int character : due) session_.bakeNow(character);
  afterBake_ = connect(&session_, &Session::bakeStateChanged, this, [=, this] {
    if (session_.isBaking()) return;
    disconnect(afterBake_);
    // Where a bake has failed or was stopped, the window says why.
    if (charactersToBake(document_.project(), session_).empty()) exportTo(folder, name, settings);
  });
}

void ProjectExport::exportTo(const QString& folder, const QString& name,
                             const ExportSettings& settings) {
  if (atlasesToExport(document_.project(), session_).empty()) return;
  ExportSettings own = settings;
  keepAtlasBeside(pathFromText(utf8Of(document_.path())), utf8Of(name),
                  pathFromText(utf8Of(folder)), own);
  const auto work = [settings = std::move(own), name = utf8Of(name),
                     path = pathFromText(utf8Of(folder)), project = document_.project(),
                     atlases =
                         atlasesToExport(document_.project(), session_)](const JobContext& job) {
    return exportCast(atlases, castSetNames(atlases, name), path, settings, &project, job);
  };
  const auto take = [this, folder](const Result<ExportedCast>& written) {
    if (!written) {
      emit failed(written.error());
      return;
    }
    for (const Note& note : exportNotes(written->sets)) log().warn("{}", note.message);
    std::size_t count = 0;
    const auto list = [&count](const auto& file) {
      log().info("Exported {} ({} bytes, xxh3 {})", file.name, file.bytes, file.xxh3);
      ++count;
    };
    bool playable = false;
    for (const CastSet& set : written->sets) {
      std::ranges::for_each(set.written.files, list);
      for (const ExportedTarget& target : set.written.targets) {
        std::ranges::for_each(target.files, list);
        playable = playable || target.shown;
      }
    }
    std::ranges::for_each(written->placement, list);
    emit done(tr("Verified: %1 in %2 read back the same as the bake")
                  .arg(counted(qlonglong(count), tr("file"), tr("files")), folder));
    if (!playable) return;
    auto* report = new ExportReport(folder, written->sets, count, &window_);
    report->setAttribute(Qt::WA_DeleteOnClose);
    report->show();
  };
  tasks_.run(QStringLiteral("export"), tr("Exporting"), work, take);
}

}  // namespace ck::ui
