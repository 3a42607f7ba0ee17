#pragma once

#include <QObject>
#include <QStringList>

class QMenu;
class QMimeData;
class QWidget;

namespace ck::ui {

class Document;
class Playback;
class Selection;
class Session;
class ViewportFrame;

// Opens, saves and exports projects and takes in rigs, clips, characters and props, asking the
// artist in dialogs of a window. What cannot be read or written is said in a message over the
// viewport.
class ProjectFiles : public QObject {
  Q_OBJECT

 public:
  // A child of the window; all else must outlive it.
  ProjectFiles(QWidget& window, Document& document, Session& session, Playback& playback,
               Selection& selection, ViewportFrame& viewport);

  // A project, or rig and clip files.
  void open(const QStringList& paths);
  // Opens a bundled project, by its path below the samples, or the bundled rig if that is missing.
  void openSample(const char* project);
  bool saveTo(const QString& path);
  // Asks whether changes are to be saved, if there are any. False: the artist stays.
  bool askToKeepChanges();

  void newProject();
  void askOpen();
  void askImport();
  void askAddClips();
  void askAddCharacters();
  void askAddProps();
  void askLocate(int source);  // where a source is that is missing
  bool save();
  bool askSaveAs();
  void askExport();

  // Files that were dropped on the window.
  bool canDrop(const QMimeData& data) const;
  void drop(const QMimeData& data, Qt::KeyboardModifiers modifiers);

  // Fills a menu with what was opened last.
  void fillRecent(QMenu& menu);

 signals:
  void reported(const QString& text);

 private:
  void openProject(const QString& path, bool sample);
  void addProps(const QStringList& paths);
  void takeRigFiles(const QStringList& paths, Qt::KeyboardModifiers modifiers);
  void remember(const QString& path);

  QWidget& window_;
  Document& document_;
  Session& session_;
  Playback& playback_;
  Selection& selection_;
  ViewportFrame& viewport_;
};

}  // namespace ck::ui
