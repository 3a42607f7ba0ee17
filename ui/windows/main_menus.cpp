#include "ui/windows/main_menus.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStandardItemModel>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "core/project/characters.h"
#include "core/project/source_files.h"
#include "core/skinning/tangent_skinning.h"
#include "render/references.h"
#include "render/skinning/method_offers.h"
#include "ui/actions/action_table.h"
#include "ui/actions/command_palette.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/bake/bake_panel.h"
#include "ui/clips/clips_panel.h"
#include "ui/document/atlas_exports.h"
#include "ui/document/document.h"
#include "ui/document/live_bake.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/source_watch.h"
#include "ui/document/task_runner.h"
#include "ui/document/text.h"
#include "ui/files/project_export.h"
#include "ui/files/project_files.h"
#include "ui/history/history_panel.h"
#include "ui/parts/bind.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/start/recent_files.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_ruler.h"
#include "ui/viewport/error_legend.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/actor_menu.h"
#include "ui/windows/camera_menu.h"
#include "ui/windows/compare_menu.h"
#include "ui/windows/crowd_menu.h"
#include "ui/windows/dialogs.h"
#include "ui/windows/playback_menu.h"
#include "ui/windows/sandbox_switch.h"
#include "ui/windows/status_strip.h"
#include "ui/windows/tools_menu.h"
#include "ui/windows/view_menus.h"
#include "ui/windows/window_layout.h"

namespace ck::ui {
namespace {

// Disables an item of a box with a reason; an empty reason enables it.
void offerItem(QComboBox& box, int index, const QString& refusal) {
  qobject_cast<QStandardItemModel*>(box.model())->item(index)->setEnabled(refusal.isEmpty());
  box.setItemData(index, refusal, Qt::ToolTipRole);
}

bool isLetter(const QKeySequence& keys) {
  if (keys.count() != 1 || keys[0].keyboardModifiers() != Qt::NoModifier) return false;
  return keys[0].key() >= Qt::Key_A && keys[0].key() <= Qt::Key_Z;
}

}  // namespace

MainMenus::MainMenus(const AppContext& app)
    : QObject(&app.window),
      app_(app),
      document_(app.document),
      session_(app.session),
      playback_(app.playback),
      selection_(app.selection),
      viewport_(app.view.viewport()),
      actions_(new ActionTable(viewport_, this)) {
  makeFileMenu();
  makeEditMenu();
  makeViewMenu();
  makeBakeMenu();
  new CrowdMenu(*actions_, menu(tr("&Crowd")), app_);
  const QList<QAction*> playing = app_.timeline.ruler().actions();
  menu(tr("&Play")).addActions(playing);
  for (QAction* action : playing) actions_->take(*action);
  if (viewport_) {
    viewport_->addActions(playing);
    fillDiagnosticsMenu(*actions_, menu(tr("&Diagnostics")), document_, session_, playback_,
                        *viewport_);
  }
  makeWindowAndHelpMenus();
  for (QAction* action : app_.clips.view().actions()) actions_->take(*action);
  makeToolBar();
  // The table types no letters, so they mean there what they mean in the view.
  const QList<QAction*> keys = viewport_ ? viewport_->actions() : QList<QAction*>();
  for (QAction* action : keys) {
    if (isLetter(action->shortcut())) app_.actors.table().addAction(action);
  }
  const auto refresh = &ActionTable::refresh;
  connect(&document_, &Document::changed, actions_, refresh);
  connect(&session_, &Session::rigsChanged, actions_, refresh);
  connect(&session_, &Session::bakeStateChanged, actions_, refresh);
  connect(&session_, &Session::costChanged, actions_, refresh);
  connect(&session_, &Session::changed, actions_, refresh);
  connect(&session_, &Session::errorChanged, actions_, refresh);
  connect(&selection_, &Selection::changed, actions_, refresh);
  connect(&playback_, &Playback::shownCharacterChanged, actions_, refresh);
  actions_->refresh();
}

QMenu& MainMenus::menu(const QString& title) {
  QMenu& menu = *app_.window.menuBar()->addMenu(title);
  menu.setToolTipsVisible(true);
  return menu;
}

// Why actions are not available now; empty if they are.
QString MainMenus::whyNoRig() const {
  const QString problem = session_.problem(playback_.shownCharacter());
  return problem.isEmpty() ? tr("Import a rig first") : tr("The rig is missing: %1").arg(problem);
}

QString MainMenus::needsRig() const {
  return session_.hasRig() ? QString() : whyNoRig();
}

QString MainMenus::needsClips() const {
  return session_.hasClips() ? QString() : tr("Import a rig first");
}

QString MainMenus::whyNotFitted() const {
  const int shown = playback_.shownCharacter();
  const LoadedPtr loaded = session_.loaded(shown);
  if (!loaded) return tr("Import a rig first");
  if (!loaded->source || loaded->source->projectFile.empty()) return {};
  return tr("The files of %1 are fitted in its own project")
      .arg(nameText(characterTitle(document_.project(), shown)));
}

QString MainMenus::whyNoMoreClips() const {
  const Project& project = document_.project();
  const int shown = playback_.shownCharacter();
  if (!session_.character(shown)) return whyNoRig();
  if (!isFromProject(baseCharacter(project, shown))) return {};
  return tr("The clips of %1 are edited in its own project")
      .arg(nameText(characterTitle(project, shown)));
}

QString MainMenus::needsActors() const {
  return document_.project().actors.size() > 0 ? QString() : tr("There are no actors");
}

QString MainMenus::whyNotBaked() const {
  const int shown = playback_.shownCharacter();
  QString refusal = session_.refusal(shown);
  if (!refusal.isEmpty()) return refusal;
  switch (session_.bakeState(shown)) {
    case BakeState::NoRig:
      return whyNoRig();
    case BakeState::NoClips:
      return tr("Add clips first");
    case BakeState::NothingTicked:
      return tr("Tick a clip first");
    case BakeState::Baking:
      return tr("It is being baked");
    default:
      return {};
  }
}

void MainMenus::makeFileMenu() {
  ProjectFiles& files = app_.files;
  const auto needsRig = [this] { return this->needsRig(); };
  QMenu& menu = this->menu(tr("&File"));
  actions_->add(menu, {"file.new", tr("&New"), tr("Start an empty project"), QKeySequence::New,
                       "file-plus-2", [&files] { files.newProject(); }});
  open_ = actions_->add(menu, {"file.open", tr("&Open..."), tr("Open a project"),
                               QKeySequence::Open, "folder-open", [&files] { files.askOpen(); }});
  QMenu* recent = menu.addMenu(icon("clock"), tr("Open r&ecent"));
  connect(recent, &QMenu::aboutToShow, this, [&files, recent] { files.fillRecent(*recent); });
  QMenu& samples = *menu.addMenu(icon("package-open"), tr("Open sam&ple"));
  samples.setToolTipsVisible(true);
  const auto addSample = [&](const char* id, const QString& text, const QString& tip,
                             const char* project, const char* needed) {
    QString missing = findSample(needed).empty()
                          ? tr("The samples are not installed beside this program")
                          : QString();
    actions_->add(
        samples, {id, text, tip, kNoKey, "package-open",
                  [&files, project] { files.openSample(project); }, [missing] { return missing; }});
  };
  addSample("file.plaza", tr("&Plaza: people"), tr("Open the bundled crowd of people"),
            "plaza/plaza.crowd", "humanoid.glb");
  addSample("file.meadow", tr("&Meadow: deer"), tr("Open the bundled herd of deer"),
            "meadow/meadow.crowd", "meadow/meadow.crowd");
  menu.addSeparator();
  importRig_ = actions_->add(
      menu, {"file.importRig", tr("&Import rig..."), tr("Read a rig with its clips from a file"),
             tr("Ctrl+I"), "import", [&files] { files.askImport(); }});
  addClips_ = actions_->add(
      menu, {"file.addClips", tr("&Add clips..."),
             tr("Add clips of other files to the shown character"), tr("Ctrl+Shift+I"), "plus",
             [&files] { files.askAddClips(); }, [this] { return whyNoMoreClips(); }});
  actions_->add(menu,
                {"file.addCharacters", tr("Add c&haracters..."),
                 tr("Put other rigs, or the rigs of other projects, into the same crowd"),
                 tr("Ctrl+Alt+I"), "users", [&files] { files.askAddCharacters(); }, needsRig});
  actions_->add(menu, {"file.fit", tr("&Fit files..."),
                       tr("Match joints, rest poses, axes and size of the shown character's files"),
                       tr("Ctrl+Shift+J"), "sliders-horizontal", [this] { app_.fitFiles(); },
                       [this] { return whyNotFitted(); }});
  actions_->add(
      menu,
      {"file.importActors", tr("Import ac&tors..."),
       tr("Replace the actors by those of a file that an export or a spreadsheet has written"),
       kNoKey, "list", [&files] { files.askImportActors(); }, needsRig});
  actions_->add(menu, {"file.readAgain", tr("&Read sources again"),
                       tr("Read the files of the shown character again"), tr("F5"), "refresh-cw",
                       [this] { session_.reload(playback_.shownCharacter()); },
                       [this] {
                         const bool any = session_.loaded(playback_.shownCharacter()) != nullptr;
                         return any ? QString() : tr("Import a rig first");
                       }});
  menu.addSeparator();
  save_ = actions_->add(menu, {"file.save", tr("&Save"), tr("Save the project"), QKeySequence::Save,
                               "save", [&files] { files.save(); }});
  actions_->add(menu, {"file.saveAs", tr("Save &as..."), tr("Save the project under another name"),
                       tr("Ctrl+Shift+S"), "save-all", [&files] { files.askSaveAs(); }});
  actions_->add(menu,
                {"file.collect", tr("&Collect project..."),
                 tr("Copy the project with all rigs, clips, props and pictures that it uses into a "
                    "folder"),
                 kNoKey, "package-open", [&files] { files.askCollect(); },
                 [this] {
                   const bool any = !sourcePaths(document_.project()).empty();
                   return any ? QString() : tr("The project uses no files yet");
                 }});
  QAction* watch =
      addKept(menu, QStringLiteral("watchSources"), true,
              {"file.watch", tr("&Watch sources"),
               tr("Read rigs, clips and props again as soon as another program changes them")});
  app_.sourceWatch.setOn(watch->isChecked());
  connect(watch, &QAction::toggled, &app_.sourceWatch, &SourceWatch::setOn);
  addSandboxSwitch(*actions_, menu);
  menu.addSeparator();
  export_ = actions_->add(
      menu, {"file.export", tr("&Export..."), tr("Write the atlas and read it back to prove it"),
             tr("Ctrl+E"), "download", [&files] { files.exports().ask(); },
             [this] {
               if (!atlasesToExport(document_.project(), session_).empty()) return QString();
               return session_.hasRig() ? tr("Bake first") : whyNoRig();
             }});
  menu.addSeparator();
  actions_->add(menu, {"file.quit", tr("&Quit"), tr("Leave Crowdkiln"), tr("Ctrl+Q"), "log-out",
                       [this] { app_.window.close(); }});
}

// A switch whose state the settings keep.
QAction* MainMenus::addKept(QMenu& menu, const QString& key, bool usually, const ActionRow& row) {
  QAction* action = actions_->addSwitch(menu, row);
  action->setChecked(QSettings().value(key, usually).toBool());
  connect(action, &QAction::toggled, this, [key](bool on) { QSettings().setValue(key, on); });
  return action;
}

void MainMenus::makeEditMenu() {
  const auto needsActors = [this] { return this->needsActors(); };
  QMenu& menu = this->menu(tr("&Edit"));
  QUndoStack& steps = document_.undoStack();
  const auto addStep = [&](const char* id, QAction* action, const char* iconName,
                           const QList<QKeySequence>& keys, const QString& nothing) {
    action->setObjectName(QLatin1String(id));
    action->setIcon(icon(QLatin1String(iconName)));
    action->setShortcuts(keys);
    menu.addAction(action);
    actions_->take(*action);
    const auto tell = [=](bool can) { action->setStatusTip(can ? QString() : nothing); };
    connect(action, &QAction::enabledChanged, action, tell);
    tell(action->isEnabled());
    return action;
  };
  undo_ = addStep("undo", steps.createUndoAction(&app_.window, tr("&Undo")), "undo-2",
                  {QKeySequence::Undo}, tr("There is nothing to undo"));
  redo_ = addStep("redo", steps.createRedoAction(&app_.window, tr("&Redo")), "redo-2",
                  {tr("Ctrl+Shift+Z"), tr("Ctrl+Y")}, tr("There is nothing to redo"));
  auto* actorMenu = new ActorMenu(*actions_, menu, app_);
  if (viewport_) {
    connect(viewport_, &ViewportWidget::contextMenuAsked, actorMenu, &ActorMenu::showMenu);
  }
  actions_->add(menu, {"edit.history", tr("Undo &history"),
                       tr("Show every step, and go back or forward to one"), kNoKey, "list",
                       [this] { app_.layout.raise(app_.history); }});
  menu.addSeparator();
  actions_->add(
      menu, {"edit.selectAll", tr("Select &all"), tr("Select every actor that the filter shows"),
             QKeySequence::SelectAll, nullptr, [this] { selectShown(); }, needsActors});
  actions_->add(menu, {"edit.selectNone", tr("Select &none"), tr("Select no actor"),
                       inView(Qt::Key_Escape), nullptr, [this] { selection_.clear(); },
                       [this] {
                         return selection_.actors().empty() ? tr("Nothing is selected") : QString();
                       }});
  actions_->add(
      menu, {"edit.invert", tr("&Invert selection"), tr("Select the actors that are not selected"),
             tr("Ctrl+Shift+A"), nullptr, [this] { selection_.invert(); }, needsActors});
  menu.addSeparator();
  actions_->add(menu, {"edit.filter", tr("&Filter actors"),
                       tr("Type which actors to show and select"), QKeySequence::Find, "search",
                       [this] {
                         auto& actors = app_.actors;
                         app_.layout.raise(actors);
                         actors.filterField().setFocus(Qt::ShortcutFocusReason);
                       },
                       needsActors});
  actions_->add(menu, {"edit.fade", tr("Fa&de selected to clip..."),
                       tr("The selected actors pass to another clip from this moment on"),
                       tr("Ctrl+Shift+F"), nullptr, [this] { askFade(); },
                       [this] {
                         return session_.hasRig() && !selection_.actors().empty()
                                    ? QString()
                                    : tr("Select actors first (Ctrl+A selects all)");
                       }});
  if (!viewport_) return;
  QMenu& tools = *menu.addMenu(tr("&Tool"));
  tools_ = addTools(*actions_, tools, document_, playback_, selection_, *viewport_);
}

void MainMenus::selectShown() {
  app_.actors.table().selectAll();
  const std::size_t all = document_.project().actors.size();
  const std::size_t selected = selection_.actors().size();
  if (selected == all) return;
  app_.status.report(tr("%L1 of %L2 selected: those that the filter shows")
                         .arg(qulonglong(selected))
                         .arg(qulonglong(all)));
}

void MainMenus::makeViewMenu() {
  QMenu& menu = this->menu(tr("&View"));
  actions_->add(menu, {"view.frameSelected", tr("Frame &selected"),
                       tr("Bring the selected actors into view"), inView(Qt::Key_F), "focus",
                       [this] { viewport_->frameSelected(); }, [this] { return needsActors(); }});
  frameAll_ =
      actions_->add(menu, {"view.frameAll", tr("Frame &all"), tr("Bring the whole crowd into view"),
                           inView(Qt::Key_Home), "maximize", [this] { viewport_->frameAll(); }});
  if (viewport_) {
    cameras_ = new CameraMenu(*actions_, document_, *viewport_, &app_.window);
    menu.addMenu(cameras_);
  }
  menu.addSeparator();
  grid_ = addSwitch(*actions_, menu, document_, viewOption("grid"), inView(Qt::Key_G), "grid-3x3");
  addSwitch(*actions_, menu, document_, viewOption("sockets"));
  QAction* figures = actions_->addSwitch(
      menu, {"view.figures", tr("&Figures"), tr("Show draws, fetches and times over the viewport"),
             inView(Qt::Key_H)});
  figures->setChecked(true);
  connect(figures, &QAction::toggled, &app_.view, &ViewportFrame::setFiguresVisible);
  if (viewport_) {
    menu.addSeparator();
    variants_ =
        new VariantMenu(*actions_, document_, session_, playback_, *viewport_, &app_.window);
    menu.addMenu(variants_);
    QMenu& errorScale = *addViewSettings(*actions_, menu, document_);
    addErrorScaleEntries(*actions_, errorScale, document_, *viewport_);
    connect(&app_.view.legend(), &ErrorLegend::menuAsked, &errorScale,
            [&errorScale](const QPoint& at) { errorScale.popup(at); });
    menu.addSeparator();
    new CompareMenu(*actions_, menu, document_, app_.guide, *viewport_, app_.window);
  }
  menu.addSeparator();
  QAction* fullScreen = actions_->addSwitch(
      menu, {"view.fullScreen", tr("F&ull screen"), tr("Fill the screen"), tr("F11")});
  connect(fullScreen, &QAction::toggled, this, [this](bool on) {
    app_.window.setWindowState(app_.window.windowState().setFlag(Qt::WindowFullScreen, on));
  });
}

void MainMenus::makeBakeMenu() {
  QMenu& menu = this->menu(tr("&Bake"));
  bake_ = actions_->add(
      menu,
      {"bake.bake", tr("&Bake"), tr("Bake the ticked clips of the shown character into its atlas"),
       tr("Ctrl+B"), "film", [this] { session_.bakeNow(playback_.shownCharacter()); },
       [this] { return whyNotBaked(); }});
  actions_->add(
      menu, {"bake.find", tr("&Find the smallest atlas"),
             tr("Search the settings with the fewest bytes within an error (panel Atlas finder)"),
             tr("Ctrl+Shift+B"), "search", [this] { emit app_.bake.finderAsked(); }});
  LiveBake& bake = session_.live();
  QAction* live =
      addKept(menu, QStringLiteral("liveBake"), false,
              {"bake.live", tr("&Live bake"),
               tr("Bake again whenever a setting changes; actors play the old atlas meanwhile"),
               tr("Ctrl+Alt+L")});
  bake.setOn(live->isChecked());
  connect(live, &QAction::toggled, &bake, &LiveBake::setOn);
  connect(&bake, &LiveBake::switched, live, &QAction::setChecked);
  actions_->add(
      menu,
      {"bake.cancel", tr("&Cancel task"), tr("Stop what is running; everything stays as it was"),
       tr("Ctrl+."), "circle-x", [this] { app_.tasks.cancelAll(); },
       [this] { return app_.tasks.isBusy() ? QString() : tr("Nothing is running"); }});
}

void MainMenus::makeWindowAndHelpMenus() {
  QMenu& panels = menu(tr("&Window"));
  // Ten panels have a key.
  QList<int> digits = {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5,
                       Qt::Key_6, Qt::Key_7, Qt::Key_8, Qt::Key_9, Qt::Key_0};
  for (QDockWidget* dock : app_.layout.docks()) {
    QKeySequence keys;
    if (!digits.isEmpty()) keys = QKeySequence(Qt::CTRL | Qt::Key(digits.takeFirst()));
    addPanelAction(panels, *dock, keys);
  }
  panels.addSeparator();
  actions_->add(panels, {"window.reset", tr("&Reset layout"),
                         tr("Put the panels back where they were at first"), kNoKey, nullptr,
                         [this] { app_.layout.layOut(); }});
  QMenu& help = menu(tr("&Help"));
  actions_->add(help,
                {"app.palette", tr("&Commands..."), tr("Find any command by its words"),
                 QList<QKeySequence>{tr("Ctrl+K"), tr("F3")}, "search", [this] { showPalette(); }});
  actions_->add(help,
                {"app.keys", tr("&Keys and mouse"), tr("Every key and mouse gesture"), tr("F1"),
                 "keyboard", [this] { showCheatSheet(app_.window, actions_->actions()); }});
  actions_->add(help, {"app.about", tr("&About Crowdkiln"), tr("Version and licences"), kNoKey,
                       "info", [this] { showAbout(app_.window); }});
}

// Besides actions, the palette finds the clips of the shown character, which the time line shows,
// the bookmarks of the camera, and the files that were opened last.
void MainMenus::showPalette() {
  auto* palette = new CommandPalette(*actions_, *app_.window.menuBar());
  int number = 0;
  for (const ProjectClip& clip : clipsOf(document_.project(), playback_.shownCharacter())) {
    palette->offer(QStringLiteral("clip.") + textOf(clip.name), tr("Clips"),
                   nameText(titleOf(clip)), [this, number] {
                     playback_.setShownClip(number);
                     app_.layout.raise(app_.timeline);
                   });
    ++number;
  }
  number = 0;
  for (const CameraBookmark& bookmark : document_.project().desk.bookmarks) {
    if (!cameras_) break;
    palette->offer(QStringLiteral("bookmark.%1").arg(number), tr("Bookmarks"),
                   nameText(bookmark.title), [this, number] { cameras_->goToBookmark(number); });
    ++number;
  }
  for (const QString& path : recentFiles()) {
    if (!QFileInfo::exists(path)) continue;
    palette->offer(QStringLiteral("recent.") + path, tr("Open recent"),
                   QDir::toNativeSeparators(path), [this, path] { app_.files.open({path}); });
  }
  palette->start();
}

// The clips of the first selected actor's character.
void MainMenus::askFade() {
  const Project& project = document_.project();
  const std::vector<int> actors = selection_.actors();
  if (actors.empty()) return;
  const int of = project.actors[std::size_t(actors.front())].character;
  QStringList clips;
  for (const ProjectClip& clip : clipsOf(project, of)) clips << nameText(titleOf(clip));
  if (clips.isEmpty()) return;
  auto* dialog = new FadeDialog(clips, int(actors.size()), &app_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog, actors, of] { playback_.fade(actors, dialog->request(), of); });
  dialog->open();
}

// Qt's own action hides a panel that is behind another one, although the user wants to see it.
void MainMenus::addPanelAction(QMenu& menu, QDockWidget& dock, const QKeySequence& key) {
  const QByteArray id = "window." + dock.objectName().toLatin1();
  QAction* action =
      actions_->addSwitch(menu, {id.constData(), dock.windowTitle(),
                                 tr("Show the panel, or hide it where it is in front"), key});
  const auto tick = [action, &dock] { action->setChecked(!dock.isHidden()); };
  connect(action, &QAction::triggered, this, [&dock, tick] {
    const bool inFront = !dock.isHidden() && !dock.visibleRegion().isEmpty();
    dock.setVisible(!inFront);
    if (!inFront) dock.raise();
    tick();
  });
  connect(dock.toggleViewAction(), &QAction::toggled, action, tick);
  connect(&dock, &QDockWidget::windowTitleChanged, action, &QAction::setText);
  tick();
}

void MainMenus::makeToolBar() {
  auto* bar = new QToolBar(tr("Tool bar"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  bar->setIconSize(QSize(20, 20));
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  app_.window.addToolBar(bar);
  QList<QList<QAction*>> groups = {
      {open_, save_}, {undo_, redo_}, {importRig_, addClips_}, {bake_, export_}};
  if (viewport_) groups << tools_ << QList<QAction*>{frameAll_, grid_};
  for (const QList<QAction*>& group : groups) {
    if (!bar->actions().isEmpty()) bar->addSeparator();
    bar->addActions(group);
  }
  if (viewport_) {
    bar->addSeparator();
    const auto addChoice = [this, bar](const QString& text, QWidget* widget) {
      // The purpose of the boxes is also in their tool tips.
      QAction* label = bar->addWidget(plainLabel(text));
      // At this width all three boxes fit into the narrowest window. They share the room that is
      // left, each up to the width of its text.
      constexpr int kNarrowBox = 118;
      widget->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
      widget->setMinimumWidth(kNarrowBox);
      connect(&app_.layout, &WindowLayout::narrowChanged, label, [label, widget](bool narrow) {
        label->setVisible(!narrow);
        widget->setMaximumWidth(widget->sizeHint().width());
      });
      bar->addWidget(widget);
    };
    addChoice(tr("Show"), makeViewModeBox());
    addChoice(tr("Method"), makeMethodBox());
    addChoice(tr("Reading"), makeVariantButton());
  }
  // The button for what has no room, whose own picture is dark.
  if (auto* more = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
    more->setIcon(icon("chevron-right"));
    more->setToolTip(tr("Show what has no room here"));
  }
  for (QAction* action : bar->actions()) {
    if (QWidget* button = bar->widgetForAction(action)) {
      button->setFocusPolicy(action->text().isEmpty() ? button->focusPolicy() : Qt::TabFocus);
    }
  }
}

QComboBox* MainMenus::makeViewModeBox() {
  auto* box = new QComboBox;
  box->addItem(tr("Baked"), int(ViewMode::Baked));
  box->addItem(tr("Source"), int(ViewMode::Source));
  box->addItem(tr("Source | Baked"), int(ViewMode::Split));
  box->addItem(tr("Error"), int(ViewMode::Error));
  box->addItem(tr("Blends"), int(ViewMode::Blends));
  box->addItem(tr("Motion"), int(ViewMode::Motion));
  box->addItem(tr("Tangents"), int(ViewMode::Tangents));
  box->setAccessibleName(tr("What is shown"));
  box->setToolTip(
      tr("Baked: from the atlas. Source: the file's own clips, skinned on the CPU. "
         "Error: baked, coloured by the distance to the source; the legend has the scale. Blends: "
         "fades "
         "left relative to the parent joint, right in the world, with what each costs. Motion: "
         "coloured by the way since the tick before, its "
         "direction on the screen as a hue, brightest at 3 metres a second. Tangents: their "
         "direction in the world as a colour, "
         "darker where the texture coordinates are mirrored"));
  const auto showRefusal = [this, box] {
    const int tangents = box->findData(int(ViewMode::Tangents));
    const bool there = std::ranges::any_of(
        session_.characters(), [](const CharacterPtr& rig) { return rig && hasTangents(*rig); });
    offerItem(*box, tangents,
              there ? QString() : tr("No mesh of a character has tangents to be shown"));
    if (!there && box->currentIndex() == tangents) box->setCurrentIndex(0);
  };
  connect(&session_, &Session::rigsChanged, box, showRefusal);
  showRefusal();
  connect(box, &QComboBox::currentIndexChanged, viewport_, [this, box](int index) {
    if (index >= 0) viewport_->setViewMode(ViewMode(box->currentData().toInt()));
  });
  connect(viewport_, &ViewportWidget::viewModeChanged, box, [this, box] {
    // The menu Diagnostics has modes that are not in the box.
    const render::ReferencePtr reference = viewport_->reference();
    box->setPlaceholderText(reference ? textOf(reference->title) : QString());
    box->setCurrentIndex(box->findData(int(viewport_->viewMode())));
  });
  return box;
}

QComboBox* MainMenus::makeMethodBox() {
  auto* box = new QComboBox;
  QStringList tips;
  for (const MethodInfo& info : kMethods) {
    const QString title = textOf(info.title);
    box->addItem(tr("%1 (%2)").arg(title, textOf(info.remark)), int(info.method));
    tips << tr("%1: %2").arg(title, textOf(info.tip));
  }
  box->setAccessibleName(tr("Skinning method"));
  box->setToolTip(tips.join(QStringLiteral(". ")));
  const auto showRefusals = [this, box] {
    for (int i = 0; i < box->count(); ++i) {
      const Method method = Method(box->itemData(i).toInt());
      offerItem(*box, i, sentenceOf(render::whyNotDrawn(method, session_.entries())));
    }
  };
  connect(&session_, &Session::changed, box, showRefusals);
  showRefusals();
  bindChoice(
      *box, document_, tr("Method"), [](const Project& p) { return int(p.view.pose.method); },
      [](Project& p, int method) { p.view.pose.method = Method(method); });
  return box;
}

QToolButton* MainMenus::makeVariantButton() {
  auto* button = new QToolButton;
  button->setObjectName(QStringLiteral("choice"));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(variants_);
  button->setAccessibleName(tr("Reading of the atlas"));
  button->setToolTip(
      tr("How the view reads the atlas: between frames, and by how many influences"));
  const auto show = [this, button] {
    button->setText(variants_->words());
    button->setMaximumWidth(button->sizeHint().width());
  };
  connect(variants_, &VariantMenu::wordsChanged, button, show);
  show();
  return button;
}

}  // namespace ck::ui
