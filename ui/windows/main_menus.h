#pragma once

#include <QKeySequence>
#include <QObject>
#include <functional>
#include <utility>
#include <vector>

class QAction;
class QComboBox;
class QDockWidget;
class QMenu;
class QToolButton;

namespace ck::ui {

class Document;
class MainWindow;
class Playback;
class Selection;
class Session;
class TaskRunner;
class ToolsMenu;
class VariantMenu;
class ViewportWidget;

// The menu bar and the tool bar of the window, with the actions of the program: their texts, icons,
// keys and functions, and when they are available. Keys with modifiers work in the whole window;
// single keys work in the viewport only.
class MainMenus : public QObject {
  Q_OBJECT

 public:
  explicit MainMenus(MainWindow& window);

  // Fills the menu bar and the tool bar. The window's panels must exist.
  void fill();

  // Returns why an action is not available now; empty if it is.
  using Reason = std::function<QString()>;

  // Appends an action to a menu. Without `whyNot` it is always available.
  QAction* add(QMenu& menu, const QString& text, const QString& tip, const QKeySequence& key,
               const char* iconName, const std::function<void()>& run, const Reason& whyNot = {});

 private:
  // Enables the actions that are available.
  void refresh();
  QString whyNoRig() const;
  QString needsRig() const;
  QString needsClips() const;
  QString whyNoMoreClips() const;
  QString needsActors() const;
  QString whyNotFitted() const;
  QString whyNotBaked() const;
  void makeFileMenu();
  void makeEditMenu();
  void selectShown();
  void makeViewMenu();
  void makeBakeAndCrowdMenus();
  void addLiveBake(QMenu& menu);
  void makeWindowAndHelpMenus();
  void makeToolBar();
  void askFade();
  QComboBox* makeViewModeBox();
  QComboBox* makeMethodBox();
  QToolButton* makeVariantButton();
  QAction* makePanelAction(QDockWidget& dock, const QKeySequence& key);

  MainWindow& window_;
  Document& document_;
  Session& session_;
  Playback& playback_;
  Selection& selection_;
  TaskRunner& tasks_;
  ViewportWidget* viewport_ = nullptr;  // null without OpenGL
  VariantMenu* variants_ = nullptr;     // null without OpenGL
  ToolsMenu* tools_ = nullptr;          // null without OpenGL
  std::vector<std::pair<QAction*, Reason>> conditions_;
  QList<QAction*> viewportKeys_;
  // Actions that are on the tool bar as well.
  QAction* open_;
  QAction* save_;
  QAction* undo_;
  QAction* redo_;
  QAction* importRig_;
  QAction* addClips_;
  QAction* bake_;
  QAction* export_;
  QAction* frameAll_;
  QAction* grid_;
};

}  // namespace ck::ui
