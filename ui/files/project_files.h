#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

#include <filesystem>

#include "core/project/project.h"
#include "core/project/recovery.h"
#include "ui/document/notices.h"
#include "ui/document/task_runner.h"
#include "ui/start/drop_overlay.h"

class QMenu;
class QMimeData;
class QWidget;

namespace ck::ui {

class Document;
class Playback;
class ProjectExport;
class ProjectGuard;
class ProjectSaver;
class Recovery;
class Selection;
class Session;
class ViewportFrame;

// Opens and saves projects, and imports rigs, clips, characters, props and actors, with
// the dialogs for it. Errors are shown in a message over the viewport.
class ProjectFiles : public QObject {
  Q_OBJECT

 public:
  // Becomes a child of the window. All other arguments must outlive it.
  ProjectFiles(QWidget& window, Document& document, TaskRunner& tasks, Session& session,
               Playback& playback, Selection& selection, ViewportFrame& viewport);

  // From now on, keeps unsaved work below this folder, and offers what windows have left there that
  // ended without leave.
  void keepWorkIn(const std::filesystem::path& folder);

  // Opens a project, or rig and clip files. A rig starts a project of its own: where the one that
  // is open has a file, changes to it are kept or not, and the new one has none. A large project is
  // read in the background, and what was open stays until then.
  void open(const QStringList& paths);
  // Opens a bundled project, by its path below the samples, or the bundled rig if that is missing.
  void openSample(const char* project = "plaza/plaza.crowd");
  // Opens unsaved work as a modified project, in place of what is open; its own file stays as it is
  // until it is saved. False if it cannot be read, which is told.
  bool openRecovered(const RecoveredWork& work);
  // The project with where the camera stands and which actors are selected.
  Project projectOnDesk() const;
  // False if it was not saved. A large project is written in the background; a failure of that is
  // told, and the document stays modified.
  bool saveTo(const QString& path);
  // Asks whether to save changes, if there are any. Returns false if the user cancels.
  bool askToKeepChanges();

  void newProject();
  void askOpen();
  void askImport();
  void askAddClips();
  void askAddCharacters();
  void askAddProps();
  void askImportActors();
  // Replaces the actors by those of a file (core/project/actors/placement.h), in one undo step.
  void importActors(const QString& path);
  // Asks where a missing source is. Others that are missing and lie in the same folder are found
  // too.
  void askLocate(const QString& source);
  // Says that a source was moved away or removed while it was open.
  void tellGone(const QString& path);
  // Copies the project and all that it uses into a folder (core/stage/collect.h).
  void askCollect();
  // The same without asking, in the background; `replace`: files that are there are overwritten.
  void collectInto(const QString& folder, bool replace);
  // Saves to the project's own file, or asks where. Asks first if another program has changed it.
  bool save();
  // Reads the project's own file again, in one undo step.
  void reload();
  // Proposes the name of the project, or of its rig.
  bool askSaveAs();
  ProjectExport& exports() { return *exports_; }

  // Opens the page or project for a start without a file (ui/start/start_page.h).
  void openAtStart();

  // Files that are dragged over the window, and what can be done with them, the usual first;
  // nothing if they cannot be dropped.
  bool canDrop(const QMimeData& data) const;
  std::vector<DropChoice> dropChoices(const QMimeData& data, Qt::KeyboardModifiers modifiers);

  // Keeps a picture of the view for the start page, with the file that was opened or saved last.
  void keepPicture();

  // Fills a menu with recently opened files.
  void fillRecent(QMenu& menu);

 signals:
  void sampleOpened();
  void reported(const QString& text);

 private:
  // How a project is opened: as a file of this window, as a sample, as its file although another
  // window has it open, or as unsaved work in place of what is in the file.
  enum class Opening { Usual, Sample, Anyway, Unsaved };
  // A project file as it was read, and the hash of its bytes before: what is written later is a
  // change.
  struct ReadProject {
    std::optional<std::uint64_t> seen;
    Result<Project> project;
  };
  static ReadProject readFrom(const QString& path);
  void openProject(const QString& path, Opening opening);
  void enterRead(const ReadProject& read, const QString& path, Opening opening);
  void openBackup(const QString& path);
  // Shows a project as what its file allows, and tells what it does not; looks for missing sources.
  void enter(Project project, const QString& path, Opening opening);
  void tellStanding(const QString& path, int newerVersion, bool offersFile);
  void show(Project project, const QString& path, const QString& standing);
  void takeSaved(const QString& path);
  void complainDamaged(const QString& path, const Error& error);
  // projectOnDesk() with what is kept of the sources, as it is saved.
  Project projectToSave() const;
  // The notice stays until something else is opened, saved or imported.
  void notify(Notice notice);
  // A request has succeeded: ends the notice about an earlier failure.
  void succeed(const QString& text);
  void addProps(const QStringList& paths);
  // File dialogs; empty if the user cancels.
  QString askFile(const QString& title, const QString& filter);
  QStringList askFiles(const QString& title, const QString& filter);
  void complain(const Error& error);
  void remember(const QString& path);

  QWidget& window_;
  Document& document_;
  TaskRunner& tasks_;
  TaskRunner reading_;  // of large projects, which do not wait for a bake
  Session& session_;
  Playback& playback_;
  Selection& selection_;
  ViewportFrame& viewport_;
  QString shownFile_;  // opened or saved last; empty for a sample
  QString rigToShow_;  // becomes the shown file when the project is made from it
  ProjectGuard* guard_;
  ProjectSaver* saver_;
  ProjectExport* exports_;
  Recovery* recovery_ = nullptr;  // null before keepWorkIn()
  int attempts_ = 0;              // counts what notify() speaks of
};

}  // namespace ck::ui
