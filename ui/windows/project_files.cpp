#include "ui/windows/project_files.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>
#include <algorithm>

#include "core/base/files.h"
#include "core/import/rig_format.h"
#include "core/project/pipeline.h"
#include "core/project/project_json.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/prop_session.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/export_dialog.h"

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

// "*.gltf *.glb ..."
QString rigPatterns() {
  QStringList patterns;
  for (const RigFormat& format : kRigFormats) patterns << "*." + textOf(format.ending);
  return patterns.join(QLatin1Char(' '));
}

QString rigFilter() {
  return ProjectFiles::tr("Rigs and clips (%1);;All files (*)").arg(rigPatterns());
}

QString lastFolder() {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QSettings().value(kFolder, documents).toString();
}

}  // namespace

ProjectFiles::ProjectFiles(QWidget& window, Document& document, Session& session,
                           Playback& playback, Selection& selection, ViewportFrame& viewport)
    : QObject(&window),
      window_(window),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection),
      viewport_(viewport) {
  connect(&session, &Session::locateAsked, this, &ProjectFiles::askLocate);
}

void ProjectFiles::open(const QStringList& paths) {
  if (paths.isEmpty()) return;
  if (isProject(paths.first())) {
    if (askToKeepChanges()) openProject(paths.first(), false);
    return;
  }
  session_.importRig(paths);
  remember(paths.first());
}

void ProjectFiles::openSample(const char* sample) {
  if (!askToKeepChanges()) return;
  const auto project = findSample(sample);
  const auto rig = findSample();
  if (!project.empty()) {
    openProject(textOf(pathText(project)), true);
  } else if (!rig.empty()) {
    session_.importRig({textOf(pathText(rig))});
  }
}

void ProjectFiles::openProject(const QString& path, bool sample) {
  Result<Project> project = readProjectFile(pathFromText(utf8Of(path)));
  if (!project) {
    viewport_.notifications().push({Notice::Level::Error, textOf(project.error().message), {}});
    return;
  }
  selection_.clear();
  document_.replace(std::move(*project), sample ? path : QFileInfo(path).absoluteFilePath(),
                    sample);
  playback_.seek(0.0);
  playback_.setPlaying(true);
  if (!sample) remember(path);
}

bool ProjectFiles::saveTo(const QString& path) {
  const Result<void> written = writeProjectFile(document_.project(), pathFromText(utf8Of(path)));
  if (!written) {
    Notice notice{Notice::Level::Error, textOf(written.error().message), {}};
    notice.actions.push_back({tr("Save as..."), [this] { askSaveAs(); }});
    viewport_.notifications().push(notice);
    return false;
  }
  document_.markSaved(QFileInfo(path).absoluteFilePath());
  session_.keepAtlasBeside(path);
  remember(path);
  emit reported(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
  return true;
}

bool ProjectFiles::save() {
  return document_.path().isEmpty() ? askSaveAs() : saveTo(document_.path());
}

bool ProjectFiles::askSaveAs() {
  QString path = QFileDialog::getSaveFileName(&window_, tr("Save the project"),
                                              QDir(lastFolder()).filePath(tr("crowd.crowd")),
                                              tr("Crowdkiln projects (*.crowd)"));
  if (path.isEmpty()) return false;
  if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".crowd");
  return saveTo(path);
}

bool ProjectFiles::askToKeepChanges() {
  if (!document_.isModified()) return true;
  QMessageBox box(QMessageBox::Question, tr("Crowdkiln"),
                  tr("Save the changes to %1?").arg(document_.displayName()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
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

void ProjectFiles::newProject() {
  if (!askToKeepChanges()) return;
  selection_.clear();
  document_.replace({}, {});
}

void ProjectFiles::askOpen() {
  const QString path = QFileDialog::getOpenFileName(&window_, tr("Open a project"), lastFolder(),
                                                    tr("Crowdkiln projects (*.crowd)"));
  if (!path.isEmpty()) open({path});
}

void ProjectFiles::askImport() {
  const QString path =
      QFileDialog::getOpenFileName(&window_, tr("Import a rig"), lastFolder(), rigFilter());
  if (!path.isEmpty()) open({path});
}

void ProjectFiles::askAddClips() {
  const QStringList paths =
      QFileDialog::getOpenFileNames(&window_, tr("Add clips"), lastFolder(), rigFilter());
  if (!paths.isEmpty()) session_.addClips(paths);
}

void ProjectFiles::askAddCharacters() {
  const QStringList paths = QFileDialog::getOpenFileNames(
      &window_, tr("Add characters"), lastFolder(),
      tr("Rigs and projects (*.crowd %1);;All files (*)").arg(rigPatterns()));
  if (!paths.isEmpty()) session_.addCharacters(paths);
}

void ProjectFiles::askAddProps() {
  addProps(QFileDialog::getOpenFileNames(&window_, tr("Add props"), lastFolder(), rigFilter()));
}

// On the ground, in the centre of the view.
void ProjectFiles::addProps(const QStringList& paths) {
  const ViewportWidget* view = viewport_.viewport();
  const glm::dvec3 middle = view ? view->camera().target : glm::dvec3(0.0);
  if (!paths.isEmpty()) session_.props().addFiles(paths, {middle.x, 0.0f, middle.z});
}

void ProjectFiles::askLocate(int source) {
  const auto index = std::size_t(source);
  const std::vector<SourceFile>& sources = document_.project().characters.front().sources;
  if (index >= sources.size()) return;
  const QString old = textOf(sources[index].path);
  const QString path = QFileDialog::getOpenFileName(
      &window_, tr("Where is %1 now?").arg(QFileInfo(old).fileName()), lastFolder(), rigFilter());
  if (path.isEmpty()) return;
  document_.edit(tr("Locate %1").arg(QFileInfo(old).fileName()), [&](Project& project) {
    project.characters.front().sources[index].path = utf8Of(QFileInfo(path).absoluteFilePath());
  });
}

void ProjectFiles::askExport() {
  if (!session_.atlas() || !session_.character()) return;
  const QString folder =
      document_.path().isEmpty() ? lastFolder() : QFileInfo(document_.path()).absolutePath();
  const QString name = textOf(safeFileName(session_.character()->name));
  auto* dialog =
      new ExportDialog(folder, name, session_.bakeState() == BakeState::Outdated, &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    session_.exportTo(dialog->folder(), dialog->name(), dialog->settings());
  });
  dialog->open();
}

bool ProjectFiles::canDrop(const QMimeData& data) const {
  const QList<QUrl> urls = data.urls();
  return std::any_of(urls.begin(), urls.end(), [](const QUrl& url) {
    const QString path = url.toLocalFile();
    return isProject(path) || rigFormatOf(path) != nullptr;
  });
}

void ProjectFiles::drop(const QMimeData& data, Qt::KeyboardModifiers modifiers) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  if (paths.isEmpty()) return;
  if (isProject(paths.first()) && !session_.character()) {
    open(paths);
  } else {
    takeRigFiles(paths, modifiers);
  }
}

// A file dropped on an open rig may replace it, add another character, or add clips. Shift adds
// clips; otherwise the user is asked by a non-modal message.
void ProjectFiles::takeRigFiles(const QStringList& paths, Qt::KeyboardModifiers modifiers) {
  if (!session_.character()) {
    open(paths);
    return;
  }
  const auto join = [this, paths] { session_.addCharacters(paths); };
  if (isProject(paths.first())) {
    Notice notice{
        Notice::Level::Hint,
        tr("%1: open it, or add its rig to this crowd?").arg(QFileInfo(paths.first()).fileName()),
        {}};
    notice.actions.push_back({tr("Open"), [this, paths] { open(paths); }});
    notice.actions.push_back({tr("Add as another character"), join});
    viewport_.notifications().push(notice);
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
  notice.actions.push_back({tr("Replace"), [this, paths] { open(paths); }});
  notice.actions.push_back({tr("Add clips"), [this, paths] { session_.addClips(paths); }});
  viewport_.notifications().push(notice);
}

void ProjectFiles::remember(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  QSettings settings;
  QStringList recent = settings.value(kRecent).toStringList();
  recent.removeAll(full);
  recent.prepend(full);
  settings.setValue(kRecent, recent.mid(0, kRecentKept));
  settings.setValue(kFolder, QFileInfo(full).absolutePath());
}

void ProjectFiles::fillRecent(QMenu& menu) {
  menu.clear();
  const QStringList paths = QSettings().value(kRecent).toStringList();
  for (const QString& path : paths) {
    QAction* action =
        menu.addAction(QDir::toNativeSeparators(path), this, [this, path] { open({path}); });
    action->setEnabled(QFileInfo::exists(path));
  }
  if (paths.isEmpty()) menu.addAction(tr("Nothing opened yet"))->setEnabled(false);
  if (paths.isEmpty()) return;
  menu.addSeparator();
  menu.addAction(tr("Forget these"), this, [] { QSettings().remove(kRecent); });
}

}  // namespace ck::ui
