#include "ui/windows/crowd_menu.h"

#include <QAction>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>

#include "ui/actions/action_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/crowd_bar.h"
#include "ui/actors/crowd_commands.h"
#include "ui/actors/spawn_bar.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/files/project_files.h"
#include "ui/playback/playback.h"
#include "ui/tools/crowd_tools.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/playback_menu.h"

namespace ck::ui {

CrowdMenu::CrowdMenu(ActionTable& actions, QMenu& menu, const AppContext& app)
    : QObject(&app.window), app_(app), actions_(actions), commands_(app.actors.crowdCommands()) {
  connect(&commands_, &CrowdCommands::noticed, &app.view.notifications(), &NotificationBar::push);
  const auto needsClips = [this] { return this->needsClips(); };
  SpawnBar& spawn = app_.actors.spawnBar();
  addCrowds(menu);
  menu.addSeparator();
  actions_.add(menu, {"crowd.count", tr("&Number of actors"), tr("How many actors the crowd has"),
                      tr("Ctrl+Shift+N"), "users", [&spawn] { spawn.focusCount(); }, needsClips});
  actions_.add(menu,
               {"crowd.deal", tr("&Randomise"), tr("Deal the actors out anew with another seed"),
                tr("Ctrl+R"), "dices", [&spawn] { spawn.reseed(); }, needsClips});
  addFormations(menu);
  menu.addMenu(makePlaybackMenu(actions_, app_.document, app_.session, app_.playback,
                                app_.selection, &app_.window));
  menu.addSeparator();
  actions_.add(
      menu, {"crowd.addProp", tr("Add &prop..."),
             tr("Put a mesh into the scene that stands still, in the middle of the view"), kNoKey,
             nullptr, [this] { app_.files.askAddProps(); }, [this] { return needsRig(); }});
  if (app_.view.viewport() != nullptr) addTools(menu);
}

// The actions on crowds, which the row of crowds shows as well.
void CrowdMenu::addCrowds(QMenu& menu) {
  const auto needsClips = [this] { return this->needsClips(); };
  QAction* add =
      actions_.add(menu, {"crowd.add", tr("&Add crowd"),
                          tr("Another group of actors with a formation of its own"),
                          tr("Ctrl+Shift+C"), "plus", [this] { commands_.add(); }, needsClips});
  QMenu* more = menu.addMenu(tr("&Chosen crowd"));
  more->setToolTipsVisible(true);
  actions_.add(*more,
               {"crowd.rename", tr("&Rename crowd..."), tr("Give the chosen crowd another name"),
                kNoKey, nullptr, [this] { askName(); }});
  actions_.add(*more, {"crowd.duplicate", tr("&Duplicate crowd"),
                       tr("A copy of the chosen crowd with all its actors, in the same place"),
                       tr("Ctrl+Shift+D"), "copy", [this] { commands_.duplicate(); }, needsClips});
  actions_.add(*more,
               {"crowd.mirrorX", tr("Mirror crowd &left and right"),
                tr("Move the chosen crowd to the other side along x, about the middle of the "
                   "world"),
                kNoKey, nullptr, [this] { commands_.mirror(MirrorAxis::X); }});
  actions_.add(*more, {"crowd.mirrorZ", tr("Mirror crowd &front and back"),
                       tr("Move the chosen crowd to the other side along z, so that it faces where "
                          "it was"),
                       kNoKey, nullptr, [this] { commands_.mirror(MirrorAxis::Z); }});
  more->addSeparator();
  actions_.add(
      *more, {"crowd.select", tr("&Select its actors"), tr("Select all actors of the chosen crowd"),
              kNoKey, nullptr, [this] { commands_.selectActors(); }});
  actions_.add(*more, {"crowd.alone", tr("Show crowd &alone"),
                       tr("Switch the chosen crowd on and all others off"), kNoKey, nullptr,
                       [this] { commands_.showAlone(); }});
  more->addSeparator();
  actions_.add(*more,
               {"crowd.delete", tr("De&lete crowd"),
                tr("Remove the chosen crowd with all its actors"), kNoKey, "trash-2",
                [this] { commands_.remove(); }, [this] { return commands_.needsAnother(); }});
  CrowdBar& bar = app_.actors.crowdBar();
  bar.addButton(add);
  app_.actors.spawnBar().addTool(add);
  bar.setMenu(more);
}

void CrowdMenu::addFormations(QMenu& menu) {
  SpawnBar& spawn = app_.actors.spawnBar();
  QMenu* formations = menu.addMenu(tr("&Formation"));
  formations->setToolTipsVisible(true);
  for (const Formation formation : kFormations) {
    const QString title = formationTitle(formation);
    const QByteArray id = "crowd.formation." + QByteArray::number(int(formation));
    actions_
        .add(*formations, {id.constData(), title, tr("Deal the actors out anew in this form"),
                           kNoKey, nullptr, [&spawn, formation] { spawn.setFormation(formation); },
                           [this] { return needsClips(); }})
        ->setIcon(formationIcon(formation));
  }
}

// The tools of the view that edit the crowd.
void CrowdMenu::addTools(QMenu& menu) {
  SpawnBar& spawn = app_.actors.spawnBar();
  ViewportWidget* viewport = app_.view.viewport();
  auto* tools = new CrowdTools(app_.document, app_.session, app_.playback, app_.selection,
                               *viewport, viewport);
  const auto needsRig = [this] { return this->needsRig(); };
  menu.addSeparator();
  QAction* brush = actions_.addSwitch(
      menu, {"tool.brush", tr("&Brush"),
             tr("Place, erase, turn and vary actors with strokes over the ground"),
             inView(Qt::Key_P), "brush", nullptr, needsRig});
  QAction* path = actions_.addSwitch(
      menu, {"tool.path", tr("Draw &path"),
             tr("Draw the path on the ground along which the actors stand: click or drag; "
                "double-click or Enter ends"),
             kNoKey, "spline", nullptr, needsRig});
  connect(brush, &QAction::triggered, tools, &CrowdTools::setBrushing);
  connect(path, &QAction::triggered, tools, &CrowdTools::setDrawing);
  connect(tools, &CrowdTools::brushing, brush, &QAction::setChecked);
  connect(tools, &CrowdTools::drawing, path, &QAction::setChecked);
  connect(tools, &CrowdTools::walkersPlaced, this, [this, told = false]() mutable {
    if (!told) told = tellWhereWalkersLeave();
  });
  spawn.addTool(path, Formation::Path);
  spawn.addTool(brush);
  connect(&spawn, &SpawnBar::pathWanted, tools, [tools] { tools->setDrawing(true); });
}

void CrowdMenu::askName() {
  QString name = textOf(chosen(app_.document.project()).name);
  QString label = tr("Name of the crowd:");
  for (bool isAsked = true; isAsked;) {
    name = QInputDialog::getText(&app_.window, tr("Rename crowd"), label, QLineEdit::Normal, name,
                                 &isAsked);
    if (isAsked && commands_.rename(name)) return;
    label = tr("Another crowd has this name, or it is empty. Name of the crowd:");
  }
}

// Walkers that were placed while the clock stands later are seen elsewhere. Returns whether there
// was anything to tell.
bool CrowdMenu::tellWhereWalkersLeave() {
  Playback& playback = app_.playback;
  if (playback.isPlaying() || playback.timeSeconds() <= 0.0) return false;
  app_.view.notifications().push(
      {Notice::Level::Hint,
       tr("Walkers leave from here at time 0, so they are elsewhere now."),
       {{tr("Go to 0"), [&playback] { playback.seek(0.0); }}},
       [&playback] { return playback.timeSeconds() > 0.0; }});
  return true;
}

QString CrowdMenu::needsClips() const {
  return app_.session.hasClips() ? QString() : tr("Import a rig first");
}

QString CrowdMenu::needsRig() const {
  return app_.session.hasRig() ? QString() : tr("Import a rig first");
}

}  // namespace ck::ui
