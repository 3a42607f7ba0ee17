#include "ui/windows/crowd_menu.h"

#include <QAction>
#include <QMenu>

#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/document/playback.h"
#include "ui/viewport/crowd_tools.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/main_menus.h"
#include "ui/windows/main_window.h"

namespace ck::ui {
namespace {

// Walkers that were placed while the clock stands later are seen elsewhere. Returns whether there
// was anything to tell.
bool tellWhereWalkersLeave(MainWindow& window) {
  Playback& playback = window.playback();
  if (playback.isPlaying() || playback.timeSeconds() <= 0.0) return false;
  window.viewportFrame().notifications().push(
      {Notice::Level::Hint,
       MainMenus::tr("Walkers leave from here at time 0, so they are elsewhere now."),
       {{MainMenus::tr("Go to 0"), [&playback] { playback.seek(0.0); }}},
       [&playback] { return playback.timeSeconds() > 0.0; }});
  return true;
}

}  // namespace

void addCrowdTools(MainMenus& menus, MainWindow& window, QMenu& crowd) {
  ViewportWidget* view = window.viewportFrame().viewport();
  if (!view) return;
  auto* tools = new CrowdTools(window.document(), window.session(), window.playback(),
                               window.selection(), *view, view);
  const auto needsRig = [&window] {
    return window.session().hasRig() ? QString() : MainMenus::tr("Import a rig first");
  };
  crowd.addSeparator();
  QAction* brush =
      menus.add(crowd, MainMenus::tr("&Brush"),
                MainMenus::tr("Place, erase, turn and vary actors with strokes over the ground"),
                Qt::Key_P, "brush", {}, needsRig);
  QAction* path =
      menus.add(crowd, MainMenus::tr("Draw &path"),
                MainMenus::tr("Draw the path on the ground along which the actors stand: click or "
                              "drag; double-click or Enter ends"),
                {}, "spline", {}, needsRig);
  for (QAction* action : {brush, path}) {
    action->setCheckable(true);
    action->setIconVisibleInMenu(false);  // the icon would replace the check mark
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    view->addAction(action);
  }
  QObject::connect(brush, &QAction::triggered, tools, &CrowdTools::setBrushing);
  QObject::connect(path, &QAction::triggered, tools, &CrowdTools::setDrawing);
  QObject::connect(tools, &CrowdTools::brushing, brush, &QAction::setChecked);
  QObject::connect(tools, &CrowdTools::drawing, path, &QAction::setChecked);
  QObject::connect(tools, &CrowdTools::walkersPlaced, &window, [&window, told = false]() mutable {
    if (!told) told = tellWhereWalkersLeave(window);
  });
  SpawnBar& spawn = window.panel<ActorsPanel>().spawnBar();
  spawn.addTool(path, Formation::Path);
  spawn.addTool(brush);
  QObject::connect(&spawn, &SpawnBar::pathWanted, tools, [tools] { tools->setDrawing(true); });
}

}  // namespace ck::ui
