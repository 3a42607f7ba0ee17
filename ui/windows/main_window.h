#pragma once

#include <QMainWindow>
#include <QPointer>

#include "ui/document/clip_pictures.h"
#include "ui/document/clip_selection.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/log/log_model.h"

class QComboBox;
class QDockWidget;
class QMenu;
class QToolButton;

namespace ck::ui {

class ActorsPanel;
class AtlasPanel;
class BakePanel;
class CharactersPanel;
class ClipsPanel;
class LogPanel;
class MainActions;
class MorphsPanel;
class StatsPanel;
class StatusStrip;
class TimelinePanel;
class VariantMenu;
class ViewportFrame;

// The editor's window: owns the document and everything made from it, and puts the panels around
// the viewport.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  // `whyNoGl` as whyNoOpenGl() says: without OpenGL there is a text in place of the viewport.
  explicit MainWindow(const QString& whyNoGl);
  ~MainWindow() override;

  Document& document() { return document_; }
  Session& session() { return session_; }
  Playback& playback() { return playback_; }
  Selection& selection() { return selection_; }
  TaskRunner& tasks() { return tasks_; }
  ActorsPanel& actorsPanel() { return *actors_; }
  AtlasPanel& atlasPanel() { return *atlas_; }
  MorphsPanel& morphsPanel() { return *morphs_; }
  ViewportFrame& viewportFrame() { return *viewport_; }
  StatusStrip& status() { return *status_; }

  // A project, or rig and clip files. What cannot be read is said in a message over the viewport.
  void openFiles(const QStringList& paths);
  // A bundled project by its path below the samples; the bundled rig where that is missing.
  void openSample(const char* project = "plaza/plaza.crowd");
  bool saveTo(const QString& path);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // main_window.cpp
  void connectSession();
  void updateActions();
  void updateTitle();
  // main_window_layout.cpp
  void makeDocks();
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* panel);
  void layOutPanels();
  void adaptToWidth();
  void adaptToHeight();
  void tuckAtlas();
  void untuckAtlas();
  void shareColumns();
  void showBarLabels();
  void fitOnScreen();
  void restoreLayout();
  void keepLayout() const;
  void hideDoubleTitles();
  // main_window_menus.cpp
  void connectActions();
  void makeMenus();
  void askFade();
  void makeToolBar();
  QComboBox* makeShownBox();
  QComboBox* makeMethodBox();
  QToolButton* makeVariantButton();
  QAction* makePanelAction(QDockWidget& dock, const QKeySequence& key);
  void fillRecent();
  // main_window_files.cpp
  bool askToKeepChanges();
  void newProject();
  void askOpen();
  void askImport();
  void askAddClips();
  void askAddCharacters();
  void askAddProps();
  void addProps(const QStringList& paths);
  void askLocate(int source);
  bool save();
  bool askSaveAs();
  void askExport();
  void openProject(const QString& path, bool sample);
  void takeRigFiles(const QStringList& paths, Qt::KeyboardModifiers modifiers);
  QString lastFolder() const;
  void remember(const QString& path);

  Document document_;
  TaskRunner tasks_;
  Session session_;
  Playback playback_;
  Selection selection_;
  ClipSelection clipSelection_;
  ClipPictures pictures_;
  LogModel log_;
  MainActions* actions_;
  ViewportFrame* viewport_;
  ClipsPanel* clips_;
  BakePanel* bake_;
  ActorsPanel* actors_;
  CharactersPanel* characters_;
  TimelinePanel* timeline_;
  LogPanel* logPanel_;
  AtlasPanel* atlas_;
  StatsPanel* stats_;
  MorphsPanel* morphs_;
  StatusStrip* status_;
  QList<QDockWidget*> docks_;
  QMenu* recent_ = nullptr;
  VariantMenu* variants_ = nullptr;  // null without OpenGL
  QList<QAction*> barLabels_;
  bool narrow_ = false;
  bool low_ = false;
  bool atlasTucked_ = false;  // the program itself made it a tab beside the time line
};

}  // namespace ck::ui
