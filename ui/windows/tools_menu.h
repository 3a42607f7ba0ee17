#pragma once

#include <QList>
#include <QMenu>

class QAction;

namespace ck::ui {

class Document;
class GizmoTool;
class MainMenus;
class Playback;
class Selection;
class ViewportWidget;

// The left mouse button in the viewport: it selects, moves, rotates or scales actors (Q, W, E, R),
// along axes of a choice (X). Whenever no other tool has the viewport, the gizmo has it.
class ToolsMenu : public QMenu {
  Q_OBJECT

 public:
  // All arguments must outlive the menu.
  ToolsMenu(MainMenus& menus, Document& document, const Playback& playback, Selection& selection,
            ViewportWidget& viewport, QWidget* parent);

  const QList<QAction*>& barActions() const { return modes_; }
  GizmoTool& gizmo() { return *gizmo_; }

 private:
  void showMode();

  ViewportWidget& viewport_;
  GizmoTool* gizmo_;  // child of the viewport
  QList<QAction*> modes_;
};

}  // namespace ck::ui
