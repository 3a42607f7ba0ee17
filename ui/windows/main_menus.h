#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>

#include "ui/windows/app_context.h"

class QAction;
class QComboBox;
class QDockWidget;
class QMenu;
class QToolButton;

namespace ck::ui {

struct ActionRow;
class ActionTable;
class CameraMenu;
class Document;
class Playback;
class Selection;
class Session;
class VariantMenu;
class ViewportWidget;

// The menu bar and the tool bar of the window, with the rows of its table of actions: their texts,
// icons, keys and functions, and when they are available. Keys with modifiers work in the whole
// window; single keys work in the viewport only.
class MainMenus : public QObject {
  Q_OBJECT

 public:
  // Becomes a child of the window, and fills its menu bar and tool bar.
  explicit MainMenus(const AppContext& app);

 private:
  QMenu& menu(const QString& title);
  QString whyNoRig() const;
  QString needsRig() const;
  QString needsClips() const;
  QString whyNoMoreClips() const;
  QString needsActors() const;
  QString whyNotFitted() const;
  QString whyNotBaked() const;
  void makeFileMenu();
  QAction* addKept(QMenu& menu, const QString& key, bool usually, const ActionRow& row);
  void makeEditMenu();
  void selectShown();
  void makeViewMenu();
  void makeBakeMenu();
  void makeWindowAndHelpMenus();
  void addPanelAction(QMenu& menu, QDockWidget& dock, const QKeySequence& key);
  void makeToolBar();
  void showPalette();
  void askFade();
  QComboBox* makeViewModeBox();
  QComboBox* makeMethodBox();
  QToolButton* makeVariantButton();

  const AppContext app_;
  Document& document_;
  Session& session_;
  Playback& playback_;
  Selection& selection_;
  ViewportWidget* viewport_;         // null without OpenGL
  VariantMenu* variants_ = nullptr;  // null without OpenGL
  CameraMenu* cameras_ = nullptr;    // null without OpenGL
  ActionTable* actions_;
  QList<QAction*> tools_;  // of the view's left button
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
