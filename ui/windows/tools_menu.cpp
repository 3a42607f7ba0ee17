#include "ui/windows/tools_menu.h"

#include <QActionGroup>

#include "ui/viewport/gizmo_tool.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/main_menus.h"

namespace ck::ui {

ToolsMenu::ToolsMenu(MainMenus& menus, Document& document, const Playback& playback,
                     Selection& selection, ViewportWidget& viewport, QWidget* parent)
    : QMenu(tr("&Tool"), parent),
      viewport_(viewport),
      gizmo_(new GizmoTool(document, playback, selection, viewport, &viewport)) {
  setToolTipsVisible(true);
  auto* group = new QActionGroup(this);
  const auto addMode = [&](const QString& text, const QString& tip, Qt::Key key, const char* icon,
                           GizmoMode mode) {
    QAction* action = menus.add(*this, text, tip, key, icon, [this, mode] {
      gizmo_->setMode(mode);
      viewport_.setTool(gizmo_);
    });
    action->setCheckable(true);
    action->setIconVisibleInMenu(false);  // the icon would replace the check mark
    action->setData(int(mode));
    group->addAction(action);
    modes_ << action;
  };
  addMode(tr("&Select"), tr("Select actors, and drag the selected ones over the ground"), Qt::Key_Q,
          "mouse-pointer-2", GizmoMode::Select);
  addMode(tr("&Move"), tr("Move the selected actors along axes and planes"), Qt::Key_W, "move-3d",
          GizmoMode::Move);
  addMode(tr("&Rotate"), tr("Rotate the selected actors about their middle"), Qt::Key_E,
          "rotate-3d", GizmoMode::Turn);
  addMode(tr("S&cale"), tr("Scale the selected actors and their distances; Alt: their sizes only"),
          Qt::Key_R, "scale-3d", GizmoMode::Scale);
  addSeparator();
  QAction* local =
      menus.add(*this, tr("&Local axes"),
                tr("The axes are those of the first selected actor instead of the world's"),
                Qt::Key_X, nullptr, {});
  local->setCheckable(true);
  connect(local, &QAction::toggled, gizmo_, &GizmoTool::setLocal);
  for (QAction* action : actions()) {
    if (action->isSeparator()) continue;
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    viewport.addAction(action);
  }
  connect(&viewport, &ViewportWidget::toolChanged, this, &ToolsMenu::showMode);
  viewport.setTool(gizmo_);
  showMode();
}

void ToolsMenu::showMode() {
  if (!viewport_.tool()) return viewport_.setTool(gizmo_);
  for (QAction* action : modes_) {
    action->setChecked(viewport_.tool() == gizmo_ && action->data().toInt() == int(gizmo_->mode()));
  }
}

}  // namespace ck::ui
