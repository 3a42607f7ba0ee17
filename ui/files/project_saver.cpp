#include "ui/files/project_saver.h"

#include <QApplication>
#include <QEventLoop>

#include "core/project/project_json.h"
#include "core/system/files.h"
#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/files/project_guard.h"

namespace ck::ui {
namespace {

const QString kTag = QStringLiteral("save");

// From so many actors on, a project is written in the background: that of fewer takes some 10 ms.
constexpr std::size_t kManyActors = 10000;

}  // namespace

ProjectSaver::ProjectSaver(Document& document, ProjectGuard& guard, QObject* parent)
    : QObject(parent), document_(document), guard_(guard) {}

ProjectSaver::Written ProjectSaver::write(const Project& project, const QString& path) {
  try {
    Written written{writeProjectFile(project, pathFromText(utf8Of(path))), {}};
    if (written.result) written.seen = ProjectWatch::hashOf(path);
    return written;
  } catch (...) {
    return {tl::unexpected(errorOfException()), {}};
  }
}

void ProjectSaver::save(Project project, const QString& path, Done done) {
  finish();
  guard_.rest();
  const Project& now = document_.project();
  if (now.actors.size() < kManyActors) return take(write(project, path), now, path, done);
  const auto work = [project = std::move(project), path](const JobContext&) -> Result<Written> {
    return write(project, path);
  };
  const auto deliver = [this, saved = now, path, done](const Result<Written>& written) {
    take(written ? *written : Written{tl::unexpected(written.error()), {}}, saved, path, done);
  };
  task_.run(kTag, tr("Saving"), work, deliver);
}

void ProjectSaver::take(const Written& written, const Project& saved, const QString& path,
                        const Done& done) {
  if (written.result) {
    document_.markSaved(path, saved);
    guard_.follow(written.seen);
  } else {
    guard_.wake();
  }
  done(written.result);
}

void ProjectSaver::finish() {
  if (!task_.isBusy()) return;
  QApplication::setOverrideCursor(Qt::WaitCursor);
  QEventLoop loop;
  connect(&task_, &TaskRunner::finished, &loop, &QEventLoop::quit);
  loop.exec(QEventLoop::ExcludeUserInputEvents);
  QApplication::restoreOverrideCursor();
}

}  // namespace ck::ui
