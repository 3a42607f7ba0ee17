#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStandardPaths>

#include "core/base/files.h"
#include "core/import/rig_format.h"
#include "core/project/pipeline.h"
#include "core/project/project_json.h"
#include "ui/document/prop_session.h"
#include "ui/document/text.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/export_dialog.h"
#include "ui/windows/main_window.h"
#include "ui/windows/status_strip.h"

namespace ck::ui {
namespace {

constexpr int kRecentKept = 12;
const QString kRecent = QStringLiteral("recent");
const QString kFolder = QStringLiteral("folder");

bool isProject(const QString& path) {
  return QFileInfo(path).suffix().compare(QLatin1String("crowd"), Qt::CaseInsensitive) == 0;
}

const RigFormat* rigFormatOf(const QString& path) {
  return rigFormatByEnding(pathFromText(utf8Of(path)));
}

// A filter like "*.gltf *.glb ...".
QString rigPatterns() {
  QStringList patterns;
  for (const RigFormat& format : kRigFormats) patterns << "*." + textOf(format.ending);
  return patterns.join(QLatin1Char(' '));
}

QString rigFilter() {
  return MainWindow::tr("Rigs and clips (%1);;All files (*)").arg(rigPatterns());
}

}  // namespace

void MainWindow::openFiles(const QStringList& paths) {
  if (paths.isEmpty()) return;
  if (isProject(paths.first())) {
    if (askToKeepChanges()) openProject(paths.first(), false);
    return;
  }
  session_.importRig(paths);
  remember(paths.first());
}

void MainWindow::openSample(const char* sample) {
  if (!askToKeepChanges()) return;
  const auto project = findSample(sample);
  const auto rig = findSample();
  if (!project.empty()) {
    openProject(textOf(pathText(project)), true);
  } else if (!rig.empty()) {
    session_.importRig({textOf(pathText(rig))});
  }
}

void MainWindow::openProject(const QString& path, bool sample) {
  Result<Project> project = readProjectFile(pathFromText(utf8Of(path)));
  if (!project) {
    viewport_->notifications().push({Notice::Level::Error, textOf(project.error().message), {}});
    return;
  }
  selection_.clear();
  document_.replace(std::move(*project), sample ? path : QFileInfo(path).absoluteFilePath(),
                    sample);
  playback_.seek(0.0);
  playback_.setPlaying(true);
  if (!sample) remember(path);
}

bool MainWindow::saveTo(const QString& path) {
  const Result<void> written = writeProjectFile(document_.project(), pathFromText(utf8Of(path)));
  if (!written) {
    Notice notice{Notice::Level::Error, textOf(written.error().message), {}};
    notice.actions.push_back({tr("Save as..."), [this] { askSaveAs(); }});
    viewport_->notifications().push(notice);
    return false;
  }
  document_.markSaved(QFileInfo(path).absoluteFilePath());
  session_.keepAtlasBeside(path);
  remember(path);
  status_->report(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
  return true;
}

bool MainWindow::save() {
  return document_.path().isEmpty() ? askSaveAs() : saveTo(document_.path());
}

bool MainWindow::askSaveAs() {
  QString path = QFileDialog::getSaveFileName(this, tr("Save the project"),
                                              QDir(lastFolder()).filePath(tr("crowd.crowd")),
                                              tr("Crowdkiln projects (*.crowd)"));
  if (path.isEmpty()) return false;
  if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".crowd");
  return saveTo(path);
}

bool MainWindow::askToKeepChanges() {
  if (!document_.isModified()) return true;
  QMessageBox box(QMessageBox::Question, tr("Crowdkiln"),
                  tr("Save the changes to %1?").arg(document_.displayName()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setInformativeText(tr("Without saving they are lost."));
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save:
      return save();
    case QMessageBox::Discard:
      return true;
    default:
      return false;
  }
}

void MainWindow::newProject() {
  if (!askToKeepChanges()) return;
  selection_.clear();
  document_.replace({}, {});
}

void MainWindow::askOpen() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a project"), lastFolder(),
                                                    tr("Crowdkiln projects (*.crowd)"));
  if (!path.isEmpty()) openFiles({path});
}

void MainWindow::askImport() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Import a rig"), lastFolder(), rigFilter());
  if (!path.isEmpty()) openFiles({path});
}

void MainWindow::askAddClips() {
  const QStringList paths =
      QFileDialog::getOpenFileNames(this, tr("Add clips"), lastFolder(), rigFilter());
  if (!paths.isEmpty()) session_.addClips(paths);
}

void MainWindow::askAddCharacters() {
  const QStringList paths = QFileDialog::getOpenFileNames(
      this, tr("Add characters"), lastFolder(),
      tr("Rigs and projects (*.crowd %1);;All files (*)").arg(rigPatterns()));
  if (!paths.isEmpty()) session_.addCharacters(paths);
}

void MainWindow::askAddProps() {
  addProps(QFileDialog::getOpenFileNames(this, tr("Add props"), lastFolder(), rigFilter()));
}

// On the ground, in the centre of the view.
void MainWindow::addProps(const QStringList& paths) {
  const ViewportWidget* view = viewport_->viewport();
  const glm::dvec3 middle = view ? view->camera().target : glm::dvec3(0.0);
  if (!paths.isEmpty()) session_.props().addFiles(paths, {middle.x, 0.0f, middle.z});
}

void MainWindow::askLocate(int source) {
  const auto index = std::size_t(source);
  const std::vector<SourceFile>& sources = document_.project().characters.front().sources;
  if (index >= sources.size()) return;
  const QString old = textOf(sources[index].path);
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Where is %1 now?").arg(QFileInfo(old).fileName()), lastFolder(), rigFilter());
  if (path.isEmpty()) return;
  document_.edit(tr("Locate %1").arg(QFileInfo(old).fileName()), [&](Project& project) {
    project.characters.front().sources[index].path = utf8Of(QFileInfo(path).absoluteFilePath());
  });
}

void MainWindow::askExport() {
  if (!session_.atlas() || !session_.character()) return;
  const QString folder =
      document_.path().isEmpty() ? lastFolder() : QFileInfo(document_.path()).absolutePath();
  const QString name = textOf(safeFileName(session_.character()->name));
  auto* dialog = new ExportDialog(folder, name, session_.bakeState() == BakeState::Outdated, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    session_.exportTo(dialog->folder(), dialog->name(), dialog->settings());
  });
  dialog->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) {
    const QString path = url.toLocalFile();
    if (isProject(path) || rigFormatOf(path) != nullptr) {
      event->acceptProposedAction();
      return;
    }
  }
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  if (isProject(paths.first()) && !session_.character()) {
    openFiles(paths);
  } else {
    takeRigFiles(paths, event->modifiers());
  }
}

// A file dropped on an open rig may replace it, add another character, or add clips. Shift adds
// clips; otherwise the user is asked by a non-modal message.
void MainWindow::takeRigFiles(const QStringList& paths, Qt::KeyboardModifiers modifiers) {
  if (!session_.character()) {
    openFiles(paths);
    return;
  }
  const auto join = [this, paths] { session_.addCharacters(paths); };
  if (isProject(paths.first())) {
    Notice notice{
        Notice::Level::Hint,
        tr("%1: open it, or add its rig to this crowd?").arg(QFileInfo(paths.first()).fileName()),
        {}};
    notice.actions.push_back({tr("Open"), [this, paths] { openFiles(paths); }});
    notice.actions.push_back({tr("Add as another character"), join});
    viewport_->notifications().push(notice);
    return;
  }
  const RigFormat* format = rigFormatOf(paths.first());
  if ((format != nullptr && format->clipsOnly) || (modifiers & Qt::ShiftModifier)) {
    session_.addClips(paths);
    return;
  }
  Notice notice{Notice::Level::Hint,
                tr("%1: another character, a prop, a new rig, or clips for %2?")
                    .arg(QFileInfo(paths.first()).fileName(), textOf(session_.character()->name)),
                {}};
  notice.actions.push_back({tr("Add as another character"), join});
  notice.actions.push_back({tr("Place as a prop"), [this, paths] { addProps(paths); }});
  notice.actions.push_back({tr("Replace"), [this, paths] { openFiles(paths); }});
  notice.actions.push_back({tr("Add clips"), [this, paths] { session_.addClips(paths); }});
  viewport_->notifications().push(notice);
}

QString MainWindow::lastFolder() const {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QSettings().value(kFolder, documents).toString();
}

void MainWindow::remember(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  QSettings settings;
  QStringList recent = settings.value(kRecent).toStringList();
  recent.removeAll(full);
  recent.prepend(full);
  settings.setValue(kRecent, recent.mid(0, kRecentKept));
  settings.setValue(kFolder, QFileInfo(full).absolutePath());
}

}  // namespace ck::ui
