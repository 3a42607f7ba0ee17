#pragma once

#include <QObject>
#include <QStringList>

#include "core/export/set/atlas_export.h"

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

  // Files that are dropped on the window.
  bool canDrop(const QMimeData& data) const;
  void drop(const QMimeData& data, Qt::KeyboardModifiers modifiers);

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
  QMetaObject::Connection afterBake_;  // exports when the bake is ready
};

}  // namespace ck::ui
