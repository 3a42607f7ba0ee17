#include "ui/files/project_files.h"

#include <spdlog/spdlog.h>

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

#include "core/base/log.h"
#include "core/project/actors/placement.h"
#include "core/project/characters.h"
#include "core/project/project_json.h"
#include "core/project/source_files.h"
#include "core/stage/collect.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"
#include "ui/document/atlas_exports.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/prop_session.h"
#include "ui/document/relinking.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/source_watch.h"
#include "ui/document/text.h"
#include "ui/files/file_kinds.h"
#include "ui/files/project_export.h"
#include "ui/files/project_guard.h"
#include "ui/files/project_saver.h"
#include "ui/files/recovery.h"
#include "ui/playback/playback.h"
#include "ui/start/recent_files.h"
#include "ui/start/start_page.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

const QString kReading = QStringLiteral("open");

// A project file of this size, of some 10,000 actors, is read in 50 ms.
constexpr qint64 kLargeFile = 1 << 20;

// The name of its file, else of its rig.
QString projectName(const Document& document) {
  const QString file = document.readFrom();
  if (!file.isEmpty()) return QFileInfo(file).completeBaseName();
  const std::string title = characterTitle(document.project(), 0);
  return title.empty() ? ProjectFiles::tr("crowd") : textOf(safeFileName(title));
}

}  // namespace

ProjectFiles::ProjectFiles(QWidget& window, Document& document, TaskRunner& tasks, Session& session,
                           Playback& playback, Selection& selection, ViewportFrame& viewport)
    : QObject(&window),
      window_(window),
      document_(document),
      tasks_(tasks),
      session_(session),
      playback_(playback),
      selection_(selection),
      viewport_(viewport),
      guard_(new ProjectGuard(window, document, viewport.notifications(), this)),
      saver_(new ProjectSaver(document, *guard_, this)),
      exports_(new ProjectExport(window, document, tasks, session)) {
  connect(&session, &Session::locateAsked, this, &ProjectFiles::askLocate);
  connect(&reading_, &TaskRunner::failed, this, &ProjectFiles::complain);
  connect(exports_, &ProjectExport::failed, this, &ProjectFiles::complain);
  connect(exports_, &ProjectExport::done, this, &ProjectFiles::succeed);
  connect(exports_, &ProjectExport::refused, this, &ProjectFiles::reported);
  connect(guard_, &ProjectGuard::reloadAsked, this, &ProjectFiles::reload);
  connect(guard_, &ProjectGuard::saveAsAsked, this, &ProjectFiles::askSaveAs);
  // A rig that cannot be read leaves what is shown as it is.
  connect(&document, &Document::changed, this, [this](const Project&, const Project& now) {
    const std::vector<std::string> sources = sourcePaths(now);
    const bool isThere = std::ranges::find(sources, utf8Of(rigToShow_)) != sources.end();
    if (rigToShow_.isEmpty() || !isThere) return;
    shownFile_ = std::exchange(rigToShow_, {});
    rememberFile(shownFile_);
  });
}

void ProjectFiles::open(const QStringList& paths) {
  if (paths.isEmpty()) return;
  saver_->finish();
  reading_.cancelAll();
  if (isProject(paths.first())) {
    if (askToKeepChanges()) openProject(paths.first(), Opening::Usual);
    return;
  }
  if (!document_.readFrom().isEmpty() && !askToKeepChanges()) return;
  keepPicture();
  rigToShow_ = QFileInfo(paths.first()).absoluteFilePath();
  session_.importRig(paths);
  rememberFolderOf(paths.first());
}

void ProjectFiles::openSample(const char* sample) {
  if (!askToKeepChanges()) return;
  reading_.cancelAll();
  const auto project = findSample(sample);
  const auto rig = findSample();
  if (!project.empty()) {
    openProject(textOf(pathText(project)), Opening::Sample);
  } else if (!rig.empty()) {
    session_.importRig({textOf(pathText(rig))});
  }
}

void ProjectFiles::openAtStart() {
  const QStringList recent = recentFiles();
  switch (atStart()) {
    case AtStart::FirstSample:
      return openSample();
    case AtStart::LastFile:
      if (!recent.isEmpty() && QFileInfo::exists(recent.first())) return open({recent.first()});
      break;
    case AtStart::StartPage:
      break;
  }
}

void ProjectFiles::keepWorkIn(const std::filesystem::path& folder) {
  delete recovery_;
  recovery_ = new Recovery(document_, *this, viewport_.notifications(), folder, this);
  recovery_->offer();
}

void ProjectFiles::openProject(const QString& file, Opening opening) {
  if (opening == Opening::Usual && isSample(file)) opening = Opening::Sample;
  const QString path = opening == Opening::Sample ? file : QFileInfo(file).absoluteFilePath();
  keepPicture();
  if (QFileInfo(path).size() <= kLargeFile) return enterRead(readFrom(path), path, opening);
  emit reported(tr("Reading %1...").arg(QFileInfo(path).fileName()));
  reading_.run(
      kReading, tr("Reading"), [path](const JobContext&) { return readFrom(path); },
      [this, path, opening, step = document_.undoStack().index()](const ReadProject& read) {
        const bool isEdited = document_.undoStack().index() != step;  // meanwhile
        if (!isEdited || askToKeepChanges()) enterRead(read, path, opening);
      });
}

ProjectFiles::ReadProject ProjectFiles::readFrom(const QString& path) {
  try {
    const auto seen = ProjectWatch::hashOf(path);
    return {seen, readProjectFile(pathFromText(utf8Of(path)))};
  } catch (...) {
    return {std::nullopt, tl::unexpected(errorOfException())};
  }
}

void ProjectFiles::enterRead(const ReadProject& read, const QString& path, Opening opening) {
  if (!read.project) {
    log().error("{}", read.project.error().message);
    return complainDamaged(path, read.project.error());
  }
  enter(*read.project, path, opening);
  if (!document_.path().isEmpty()) guard_->follow(read.seen);
}

void ProjectFiles::enter(Project project, const QString& path, Opening opening) {
  const int newer = project.file.newerVersion;
  QString standing;
  if (opening == Opening::Sample) {
    standing = tr("sample");
  } else if (newer > 0) {
    standing = tr("newer version");
  } else if (opening == Opening::Anyway) {
    guard_->lock().takeBeside(path);
  } else if (!path.isEmpty() && !guard_->lock().take(path)) {
    standing = opening == Opening::Unsaved ? tr("recovered") : tr("read only");
  }
  show(std::move(project), path, standing);
  if (opening == Opening::Sample) return emit sampleOpened();
  if (opening == Opening::Unsaved) document_.markModified();
  if (!path.isEmpty()) remember(path);
  if (!standing.isEmpty()) tellStanding(path, newer, opening == Opening::Usual);
  for (const Notice& notice : relinkMissing(document_)) viewport_.notifications().push(notice);
}

void ProjectFiles::tellStanding(const QString& path, int newerVersion, bool offersFile) {
  const QString name = QFileInfo(path).fileName();
  const auto saveAs = [this] { askSaveAs(); };
  if (newerVersion > 0) {
    return notify(
        {Notice::Level::Warning,
         tr("%1 was saved by a later Crowdkiln (format %2). What this one does not know stays "
            "in it, and saving asks for another file.")
             .arg(name)
             .arg(newerVersion),
         {{tr("Save as..."), saveAs}}});
  }
  Notice notice{Notice::Level::Warning,
                tr("%1 is open in another window, so it is shown here without its file: saving "
                   "asks for another one.")
                    .arg(name),
                {}};
  if (offersFile) {
    notice.actions.push_back({tr("Open anyway"), [this, path] {
                                if (askToKeepChanges()) return openProject(path, Opening::Anyway);
                                tellStanding(path, 0, true);
                              }});
  }
  notice.actions.push_back({tr("Open a copy"), saveAs});
  notify(notice);
}

void ProjectFiles::show(Project project, const QString& path, const QString& standing) {
  ++attempts_;
  const Desk desk = project.desk;
  shownFile_.clear();
  rigToShow_.clear();
  selection_.clear();
  document_.replace(std::move(project), path, standing);
  playback_.seek(0.0);
  playback_.setPlaying(true);
  selection_.set(desk.selected);
  ViewportWidget* view = viewport_.viewport();
  if (view && desk.camera) view->placeCamera(*desk.camera);
}

// A backup and an autosave are opened in place of the damaged file, which the next save replaces.
void ProjectFiles::openBackup(const QString& path) {
  keepPicture();
  Result<Project> project = readProjectFile(backupOf(pathFromText(utf8Of(path))));
  if (!project) return complain(project.error());
  enter(std::move(*project), path, Opening::Unsaved);
}

bool ProjectFiles::openRecovered(const RecoveredWork& work) {
  keepPicture();
  Result<Project> project = readRecovery(work);
  if (!project) {
    complain(project.error());
    return false;
  }
  enter(std::move(*project), textOf(work.origin), Opening::Unsaved);
  return true;
}

void ProjectFiles::complainDamaged(const QString& path, const Error& error) {
  Notice notice{Notice::Level::Error, textOf(error.message), {}};
  const auto again = [this, path, error] { complainDamaged(path, error); };
  const bool damaged = error.code != ErrorCode::FileNotFound;
  std::error_code failed;
  if (damaged && std::filesystem::exists(backupOf(pathFromText(utf8Of(path))), failed)) {
    notice.actions.push_back({tr("Open backup"), [this, path, again] {
                                askToKeepChanges() ? openBackup(path) : again();
                              }});
  }
  const auto kept = recovery_ ? recovery_->lastOf(path) : std::nullopt;
  if (kept) {
    notice.actions.push_back(
        {tr("Open last autosave"), [this, work = *kept, again] { recovery_->open(work, again); }});
  }
  notify(notice);
}

void ProjectFiles::complain(const Error& error) {
  log().error("{}", error.message);
  notify({Notice::Level::Error, textOf(error.message), {}});
}

void ProjectFiles::notify(Notice notice) {
  notice.cause = [this, attempt = ++attempts_, imports = session_.imports()] {
    return attempts_ == attempt && session_.imports() == imports;
  };
  viewport_.notifications().push(notice);
}

void ProjectFiles::succeed(const QString& text) {
  ++attempts_;
  viewport_.notifications().review();
  emit reported(text);
}

Project ProjectFiles::projectOnDesk() const {
  Project project = document_.project();
  const ViewportWidget* view = viewport_.viewport();
  if (view && session_.hasRig()) project.desk.camera = view->cameraPlace();
  project.desk.selected = selection_.actors();
  return project;
}

Project ProjectFiles::projectToSave() const {
  Project project = projectOnDesk();
  project.file.sourceHashes = sourceHashesOf(project, session_);
  return project;
}

bool ProjectFiles::saveTo(const QString& path) {
  saver_->finish();
  const QString full = QFileInfo(path).absoluteFilePath();
  if (full == document_.path()) {
    const ProjectGuard::Answer answer = guard_->askBeforeSave();
    if (answer == ProjectGuard::Answer::SaveAs) return askSaveAs();
    if (answer == ProjectGuard::Answer::Reload) reload();
    if (answer != ProjectGuard::Answer::Save) return false;
  }
  const auto keepOwnLock = [this] {
    ProjectLock& lock = guard_->lock();
    document_.path().isEmpty() ? lock.release() : lock.takeBeside(document_.path());
  };
  if (full != document_.path() && !guard_->lock().take(full)) {
    complain({ErrorCode::CannotWrite,
              utf8Of(tr("%1: it is open in another window; save under another name").arg(full))});
    keepOwnLock();
    return false;
  }
  const auto isGood = std::make_shared<bool>(true);
  const auto done = [this, isGood, path, keepOwnLock](const Result<void>& written) {
    *isGood = written.has_value();
    if (written) return takeSaved(path);
    keepOwnLock();
    notify({Notice::Level::Error, textOf(written.error().message), {{tr("Save as..."), [this] {
                                                                       askSaveAs();
                                                                     }}}});
  };
  emit reported(tr("Saving %1...").arg(QDir::toNativeSeparators(path)));
  saver_->save(projectToSave(), full, done);
  return *isGood;
}

void ProjectFiles::takeSaved(const QString& path) {
  keepAtlasBeside(session_, tasks_, path);
  remember(path);
  keepPicture();
  succeed(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
}

// One undo step brings back what was here.
void ProjectFiles::reload() {
  saver_->finish();
  const QString path = document_.path();
  const auto seen = ProjectWatch::hashOf(path);
  Result<Project> project = readProjectFile(pathFromText(utf8Of(path)));
  if (!project) return complain(project.error());
  if (project->file.newerVersion > 0) return enter(std::move(*project), path, Opening::Anyway);
  const QString name = QFileInfo(path).fileName();
  document_.edit(tr("Reload %1").arg(name), [&](Project& now) { now = std::move(*project); });
  document_.markSaved(path);
  guard_->follow(seen);
  for (const Notice& notice : relinkMissing(document_)) viewport_.notifications().push(notice);
  succeed(tr("Read %1 again; undo brings back what was here").arg(name));
}

bool ProjectFiles::save() {
  return document_.path().isEmpty() ? askSaveAs() : saveTo(document_.path());
}

bool ProjectFiles::askSaveAs() {
  QFileDialog dialog(&window_, tr("Save the project"), lastFolder(), projectFilter());
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  // The dialog adds it before it asks whether to replace a file.
  dialog.setDefaultSuffix(QStringLiteral("crowd"));
  dialog.selectFile(projectName(document_) + QStringLiteral(".crowd"));
  return dialog.exec() == QDialog::Accepted && saveTo(dialog.selectedFiles().front());
}

bool ProjectFiles::askToKeepChanges() {
  saver_->finish();
  if (!document_.isModified()) return true;
  QMessageBox box(QMessageBox::Question, tr("Crowdkiln"),
                  tr("Save the changes to %1?").arg(document_.displayName()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
  box.setInformativeText(tr("Without saving they are lost."));
  box.setTextFormat(Qt::PlainText);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  if (answer != QMessageBox::Save) return answer == QMessageBox::Discard;
  if (!save()) return false;
  saver_->finish();
  return !document_.isModified();
}

void ProjectFiles::newProject() {
  if (!askToKeepChanges()) return;
  reading_.cancelAll();
  keepPicture();
  show({}, {}, {});
}

QString ProjectFiles::askFile(const QString& title, const QString& filter) {
  return QFileDialog::getOpenFileName(&window_, title, lastFolder(), filter);
}

QStringList ProjectFiles::askFiles(const QString& title, const QString& filter) {
  return QFileDialog::getOpenFileNames(&window_, title, lastFolder(), filter);
}

void ProjectFiles::askOpen() {
  const QString path = askFile(tr("Open a project"), projectFilter());
  if (!path.isEmpty()) open({path});
}

void ProjectFiles::askImport() {
  const QString path = askFile(tr("Import a rig"), rigFilter());
  if (!path.isEmpty()) open({path});
}

void ProjectFiles::askAddClips() {
  const QStringList paths = askFiles(tr("Add clips"), rigFilter());
  if (!paths.isEmpty()) session_.addClips(playback_.shownCharacter(), paths);
}

void ProjectFiles::askAddCharacters() {
  session_.addCharacters(
      askFiles(tr("Add characters"),
               tr("Rigs and projects (*.crowd %1);;All files (*)").arg(rigPatterns())));
}

void ProjectFiles::askAddProps() {
  addProps(askFiles(tr("Add props"), rigFilter()));
}

// On the ground, in the centre of the view.
void ProjectFiles::addProps(const QStringList& paths) {
  const ViewportWidget* view = viewport_.viewport();
  const glm::dvec3 middle = view ? view->camera().target : glm::dvec3(0.0);
  if (!paths.isEmpty()) session_.props().addFiles(paths, {middle.x, 0.0f, middle.z});
}

void ProjectFiles::askImportActors() {
  const QString path = askFile(tr("Import actors"), placementFilter());
  if (!path.isEmpty()) importActors(path);
}

void ProjectFiles::importActors(const QString& path) {
  const QString name = QFileInfo(path).fileName();
  if (!session_.hasRig()) {
    return complain({ErrorCode::InvalidInput,
                     utf8Of(tr("%1: import the rig of these actors first").arg(name))});
  }
  const Result<ActorList> actors = readPlacement(pathFromText(utf8Of(path)), document_.project());
  if (!actors) return complain(actors.error());
  const QString count = counted(qlonglong(actors->size()), tr("actor"), tr("actors"));
  document_.edit(tr("Import %1").arg(count), [&](Project& project) { project.actors = *actors; });
  rememberFolderOf(path);
  succeed(tr("Imported %1 from %2").arg(count, name));
}

void ProjectFiles::askLocate(const QString& source) {
  const std::string was = utf8Of(source);
  const std::vector<std::string> sources = sourcePaths(document_.project());
  if (std::ranges::find(sources, was) == sources.end()) return;
  const QString path = askFile(tr("Where is %1 now?").arg(fileNameOf(was)), rigFilter());
  if (path.isEmpty()) return;
  const auto ask = [this](const QString& question) {
    QMessageBox box(QMessageBox::Question, tr("Crowdkiln"), question,
                    QMessageBox::Yes | QMessageBox::Cancel, &window_);
    box.button(QMessageBox::Yes)->setText(tr("Use it"));
    box.setTextFormat(Qt::PlainText);
    box.setDefaultButton(QMessageBox::Cancel);
    return box.exec() == QMessageBox::Yes;
  };
  const QString found = locate(document_, was, utf8Of(QFileInfo(path).absoluteFilePath()), ask);
  if (!found.isEmpty()) emit reported(found);
}

void ProjectFiles::tellGone(const QString& path) {
  const QFileInfo file(path);
  Notice notice{Notice::Level::Warning,
                tr("%1 is no longer in %2. What was read of it stays until the project is closed.")
                    .arg(file.fileName(), QDir::toNativeSeparators(file.absolutePath())),
                {},
                [path] { return !QFileInfo::exists(path); }};
  notice.actions.push_back({tr("Locate..."), [this, path] { askLocate(path); }});
  viewport_.notifications().push(notice);
}

void ProjectFiles::askCollect() {
  const QString folder =
      QFileDialog::getExistingDirectory(&window_, tr("Collect the project in"), lastFolder());
  if (!folder.isEmpty()) collectInto(folder, false);
}

void ProjectFiles::collectInto(const QString& folder, bool replace) {
  const QString file = document_.readFrom();
  const auto plan = planCollection(projectToSave(), pathFromText(utf8Of(file)),
                                   pathFromText(utf8Of(folder)), utf8Of(projectName(document_)));
  if (!plan) return complain(plan.error());
  for (const auto& [target, project] : plan->projects) {
    const QString taken = QFileInfo(textOf(pathText(target))).absoluteFilePath();
    const bool isOurs = !file.isEmpty() && QFileInfo(taken) == QFileInfo(file);
    if (!isOurs && !ProjectLock::isTaken(taken)) continue;
    return notify({Notice::Level::Error,
                   (isOurs ? tr("%1 is the project that is collected; choose another folder")
                           : tr("%1 is open in another window; choose another folder"))
                       .arg(QDir::toNativeSeparators(taken)),
                   {{tr("Choose..."), [this] { askCollect(); }}}});
  }
  const auto existing = plan->existing();
  if (!replace && !existing.empty()) {
    QMessageBox box(QMessageBox::Question, tr("Crowdkiln"),
                    tr("Replace %1 in %2?")
                        .arg(counted(qlonglong(existing.size()), tr("file"), tr("files")),
                             QDir::toNativeSeparators(folder)),
                    QMessageBox::Yes | QMessageBox::Cancel, &window_);
    box.setInformativeText(tr("%1 is one of them.").arg(textOf(pathText(existing.front()))));
    box.button(QMessageBox::Yes)->setText(tr("Replace"));
    box.setTextFormat(Qt::PlainText);
    box.setDefaultButton(QMessageBox::Cancel);
    if (box.exec() != QMessageBox::Yes) return;
  }
  const QString done = tr("Collected %1 (%2) in %3")
                           .arg(counted(qlonglong(plan->copies.size() + plan->projects.size()),
                                        tr("file"), tr("files")),
                                QLocale().formattedDataSize(qint64(plan->bytes())),
                                QDir::toNativeSeparators(folder));
  const auto take = [this, plan, done](const Result<void>& written) {
    if (!written) return complain(written.error());
    for (const Collection::Copy& copy : plan->copies) {
      log().info("Collected {} as {}", pathText(copy.from), pathText(copy.to));
    }
    succeed(done);
  };
  tasks_.run(
      QStringLiteral("collect"), tr("Collecting"),
      [plan = *plan](const JobContext& job) { return writeCollection(plan, job); }, take);
}

bool ProjectFiles::canDrop(const QMimeData& data) const {
  return !droppedFiles(data).isEmpty();
}

// Files that are dropped on an open rig may replace it, join it as another character, stand in the
// scene or add clips. Files with clips alone, and any file with Shift, add clips.
std::vector<DropChoice> ProjectFiles::dropChoices(const QMimeData& data,
                                                  Qt::KeyboardModifiers modifiers) {
  const QStringList paths = droppedFiles(data);
  if (paths.isEmpty()) return {};
  const QString first = paths.first();
  const DropChoice openProject{tr("Open the project"), tr("It takes the place of what is open now"),
                               "folder-open", [this, paths] { open(paths); }};
  const int shown = playback_.shownCharacter();
  const QString title = nameText(characterTitle(document_.project(), shown));
  const DropChoice clips{tr("Add its clips"),
                         tr("%1 plays them, matched joint by joint").arg(title), "film",
                         [this, paths, shown] { session_.addClips(shown, paths); }};
  if (isPlacement(first)) {
    return {{tr("Replace the actors"), tr("By those of this file; undo brings them back"), "list",
             [this, first] { importActors(first); }}};
  }
  if (!session_.hasRig()) {
    if (isProject(first)) return {openProject};
    return {{tr("Import the rig"), tr("A new project with a small crowd of it"), "import",
             [this, paths] { open(paths); }}};
  }
  const DropChoice join{tr("Add as another character"), tr("It gets its share of the actors"),
                        "users", [this, paths] { session_.addCharacters(paths); }};
  if (isProject(first)) return {openProject, join};
  const RigFormat* format = rigFormatOf(first);
  const bool takesClips = !isFromProject(baseCharacter(document_.project(), shown));
  const bool clipsOnly = format != nullptr && format->clipsOnly;
  if (takesClips && (clipsOnly || (modifiers & Qt::ShiftModifier))) return {clips};
  std::vector<DropChoice> choices = {
      join,
      {tr("Place as a prop"), tr("It stands on the ground and does not move"), "box",
       [this, paths] { addProps(paths); }},
      {tr("Replace the rig"), tr("A new project with a small crowd of it"), "replace",
       [this, paths] { open(paths); }}};
  if (takesClips) choices.insert(choices.begin() + 1, clips);
  return choices;
}

void ProjectFiles::remember(const QString& path) {
  shownFile_ = path;
  rememberFile(path);
  rememberFolderOf(path);
}

void ProjectFiles::keepPicture() {
  ViewportWidget* view = viewport_.viewport();
  if (!view || !view->renderer() || !session_.hasRig()) return;
  keepPictureOf(shownFile_, view->shownPicture());
}

void ProjectFiles::fillRecent(QMenu& menu) {
  menu.clear();
  const QStringList paths = recentFiles();
  if (paths.isEmpty()) menu.addAction(tr("Nothing opened yet"))->setEnabled(false);
  for (const QString& path : paths) {
    QAction* action =
        menu.addAction(QDir::toNativeSeparators(path), this, [this, path] { open({path}); });
    action->setEnabled(QFileInfo::exists(path));
  }
  if (paths.isEmpty()) return;
  menu.addSeparator();
  menu.addAction(tr("Forget these"), this, [] { forgetFiles(); });
}

}  // namespace ck::ui
