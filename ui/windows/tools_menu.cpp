#include "ui/windows/tools_menu.h"

#include <QActionGroup>
#include <QMenu>

#include "ui/actions/action_table.h"
#include "ui/tools/gizmo_tool.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {

QList<QAction*> addTools(ActionTable& actions, QMenu& menu, Document& document,
                         const Playback& playback, Selection& selection, ViewportWidget& viewport) {
  menu.setToolTipsVisible(true);
  auto* gizmo = new GizmoTool(document, playback, selection, viewport, &viewport);
  auto* group = new QActionGroup(&menu);
  const auto addMode = [&](GizmoMode mode, ActionRow row) {
    row.run = [gizmo, &viewport, mode] {
      gizmo->setMode(mode);
      viewport.setTool(gizmo);
    };
    QAction* action = actions.addSwitch(menu, row);
    action->setData(int(mode));
    group->addAction(action);
  };
  addMode(GizmoMode::Select, {"tool.select", QMenu::tr("&Select"),
                              QMenu::tr("Select actors, and drag the selected ones over the "
                                        "ground"),
                              inView(Qt::Key_Q), "mouse-pointer-2"});
  addMode(GizmoMode::Move, {"tool.move", QMenu::tr("&Move"),
                            QMenu::tr("Move the selected actors along axes and planes"),
                            inView(Qt::Key_W), "move-3d"});
  addMode(GizmoMode::Turn, {"tool.rotate", QMenu::tr("&Rotate"),
                            QMenu::tr("Rotate the selected actors about their middle"),
                            inView(Qt::Key_E), "rotate-3d"});
  addMode(GizmoMode::Scale, {"tool.scale", QMenu::tr("S&cale"),
                             QMenu::tr("Scale the selected actors and their distances; Alt: their "
                                       "sizes only"),
                             inView(Qt::Key_R), "scale-3d"});
  menu.addSeparator();
  QAction* local = actions.addSwitch(
      menu, {"tool.localAxes", QMenu::tr("&Local axes"),
             QMenu::tr("The axes are those of the first selected actor instead of the world's"),
             inView(Qt::Key_X)});
  QObject::connect(local, &QAction::toggled, gizmo, &GizmoTool::setLocal);
  const auto showMode = [gizmo, group, &viewport] {
    if (!viewport.tool()) return viewport.setTool(gizmo);
    for (QAction* action : group->actions()) {
      action->setChecked(viewport.tool() == gizmo && action->data().toInt() == int(gizmo->mode()));
    }
  };
  QObject::connect(&viewport, &ViewportWidget::toolChanged, group, showMode);
  viewport.setTool(gizmo);
  showMode();
  return group->actions();
}

}  // namespace ck::ui
