#pragma once

#include <QObject>

class QAction;
class QComboBox;
class QDockWidget;
class QKeySequence;
class QToolButton;

namespace ck::ui {

class ActorsPanel;
class Document;
class MainActions;
class MainWindow;
class Playback;
class Selection;
class Session;
class TaskRunner;
class TimelinePanel;
class VariantMenu;
class ViewportFrame;

// The menu bar and the tool bar of the window, and the functions of its actions.
class MainMenus : public QObject {
  Q_OBJECT

 public:
  // Fills the menu bar and the tool bar. The window's panels must exist.
  MainMenus(MainWindow& window, MainActions& actions);

  VariantMenu* variants() const { return variants_; }  // null without OpenGL

 private:
  void makeMenus();
  void makeToolBar();
  void connectActions();
  void askFade();
  QComboBox* makeShownBox();
  QComboBox* makeMethodBox();
  QToolButton* makeVariantButton();
  QAction* makePanelAction(QDockWidget& dock, const QKeySequence& key);

  MainWindow& window_;
  Document& document_;
  Session& session_;
  Playback& playback_;
  Selection& selection_;
  TaskRunner& tasks_;
  MainActions* actions_;
  ViewportFrame* viewport_;
  ActorsPanel* actors_;
  TimelinePanel* timeline_;
  VariantMenu* variants_ = nullptr;
  QAction* undo_ = nullptr;
  QAction* redo_ = nullptr;
};

}  // namespace ck::ui
