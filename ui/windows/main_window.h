#pragma once

#include <QMainWindow>
#include <QPointer>

#include "ui/doctor/examination.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/source_watch.h"
#include "ui/document/task_runner.h"
#include "ui/files/project_files.h"
#include "ui/log/log_panel.h"
#include "ui/parts/undo_keys.h"
#include "ui/playback/clip_thumbnails.h"
#include "ui/playback/playback.h"
#include "ui/windows/window_layout.h"

namespace ck::ui {

class MatchDialog;
class SpotGuide;
class StatusStrip;
class ViewportFrame;

// The editor's window. Owns the document and everything made from it, and arranges the panels
// around the viewport.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  // `whyNoGl` is the result of whyNoOpenGl(). Without OpenGL a text replaces the viewport.
  explicit MainWindow(const QString& whyNoGl);
  ~MainWindow() override;

  Document& document() { return document_; }
  Session& session() { return session_; }
  Playback& playback() { return playback_; }
  Selection& selection() { return selection_; }
  TaskRunner& tasks() { return tasks_; }
  // A panel by its class.
  template <class Panel>
  Panel& panel() const {
    return *findChild<Panel*>();
  }
  WindowLayout& panels() { return *panels_; }
  const Examination& examination() const { return examination_; }
  ProjectFiles& files() { return *files_; }
  SourceWatch& sourceWatch() { return sourceWatch_; }
  // From now on, keeps unsaved work below this folder (Autosave::usualRoot()), and offers what
  // windows have left there that ended without leave.
  void keepWorkIn(const std::filesystem::path& folder);
  ViewportFrame& viewportFrame() { return *viewport_; }
  SpotGuide& guide() { return *guide_; }
  // Shows how files fit together, as MatchDialog::showFiles().
  void showFit(const LoadedPtr& loaded, int source = -1);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void addPanels();
  void addMenus();
  void connectSession();
  void connectPanels();
  void connectStartPage();
  void updateTitle();

  Document document_;
  TaskRunner tasks_;
  Session session_;
  SourceWatch sourceWatch_;
  Playback playback_;
  Selection selection_;
  ClipSelection clipSelection_;
  ClipThumbnails thumbnails_;
  Examination examination_;
  LogModel log_;
  UndoKeys undoKeys_;
  ViewportFrame* viewport_;
  SpotGuide* guide_;
  StatusStrip* status_;
  ProjectFiles* files_;
  WindowLayout* panels_;
  QPointer<MatchDialog> fitting_;
};

}  // namespace ck::ui
