#pragma once

#include <QObject>
#include <QStringList>
#include <vector>

#include "core/export/set/atlas_export.h"
#include "ui/start/drop_overlay.h"

class QMenu;
class QMimeData;
class QWidget;

namespace ck::ui {

class Document;
class Playback;
class Selection;
class Session;
class TaskRunner;
class ViewportFrame;

// Opens, saves and exports projects, and imports rigs, clips, characters, props and actors, with
// the dialogs for it. Errors are shown in a message over the viewport.
class ProjectFiles : public QObject {
  Q_OBJECT

 public:
  // Becomes a child of the window. All other arguments must outlive it.
  ProjectFiles(QWidget& window, Document& document, TaskRunner& tasks, Session& session,
               Playback& playback, Selection& selection, ViewportFrame& viewport);

  // Opens a project, or rig and clip files.
  void open(const QStringList& paths);
  // Opens a bundled project, by its path below the samples, or the bundled rig if that is missing.
  void openSample(const char* project = "plaza/plaza.crowd");
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
  // Replaces the actors by those of a file (core/project/placement.h), in one undo step.
  void importActors(const QString& path);
  void askLocate(int source);  // asks where a missing source is
  bool save();
  bool askSaveAs();
  void askExport();
  // Writes the atlas of every character, as exportCast() does, and the actors beside them. Shows
  // the steps to play them where an engine is among the targets.
  void exportTo(const QString& folder, const QString& name, const ExportSettings& settings);

  // What the program shows when it was started without a file (ui/start/start_page.h).
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
  void reported(const QString& text);

 private:
  void openProject(const QString& path, bool sample);
  void addProps(const QStringList& paths);
  // File dialogs; empty if the user cancels.
  QString askFile(const QString& title, const QString& filter);
  QStringList askFiles(const QString& title, const QString& filter);
  // As exportTo(), after a bake where the atlas is not that of the settings.
  void bakeAndExport(const QString& folder, const QString& name, const ExportSettings& settings);
  void complain(const Error& error);
  void remember(const QString& path);

  QWidget& window_;
  Document& document_;
  TaskRunner& tasks_;
  Session& session_;
  Playback& playback_;
  Selection& selection_;
  ViewportFrame& viewport_;
  QString shownFile_;                  // opened or saved last; empty for a sample
  QMetaObject::Connection afterBake_;  // exports when the bake is ready
};

}  // namespace ck::ui
