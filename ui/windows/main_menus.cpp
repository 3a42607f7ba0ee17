#include "ui/windows/main_menus.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QStandardItemModel>
#include <QToolBar>
#include <QToolButton>

#include "core/project/characters.h"
#include "core/skinning/tangent_skinning.h"
#include "render/references.h"
#include "render/skinning/method_offers.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/clips/clips_panel.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_ruler.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/choice_menu.h"
#include "ui/windows/diagnostics_menu.h"
#include "ui/windows/fade_dialog.h"
#include "ui/windows/help_dialogs.h"
#include "ui/windows/main_actions.h"
#include "ui/windows/main_window.h"
#include "ui/windows/project_files.h"
#include "ui/windows/variant_menu.h"
#include "ui/windows/window_layout.h"

namespace ck::ui {

MainMenus::MainMenus(MainWindow& window, MainActions& actions)
    : QObject(&window),
      window_(window),
      document_(window.document()),
      session_(window.session()),
      playback_(window.playback()),
      selection_(window.selection()),
      tasks_(window.tasks()),
      actions_(&actions),
      viewport_(&window.viewportFrame()),
      actors_(&window.panel<ActorsPanel>()),
      timeline_(&window.panel<TimelinePanel>()) {
  if (viewport_->viewport()) {
    variants_ = new VariantMenu(document_, session_, playback_, &window);
    variants_->setTitle(tr("&Reading of the atlas"));
  }
  makeMenus();
  makeToolBar();
  connectActions();
}

void MainMenus::connectActions() {
  const MainActions& a = *actions_;
  ProjectFiles& files = window_.files();
  connect(a.newProject, &QAction::triggered, &files, &ProjectFiles::newProject);
  connect(a.open, &QAction::triggered, &files, &ProjectFiles::askOpen);
  for (const auto& [action, sample] :
       {std::pair(a.openPlaza, "plaza/plaza.crowd"), {a.openMeadow, "meadow/meadow.crowd"}}) {
    connect(action, &QAction::triggered, &files, [&files, sample] { files.openSample(sample); });
  }
  connect(a.importRig, &QAction::triggered, &files, &ProjectFiles::askImport);
  connect(a.addClips, &QAction::triggered, &files, &ProjectFiles::askAddClips);
  connect(a.addCharacters, &QAction::triggered, &files, &ProjectFiles::askAddCharacters);
  connect(a.addProps, &QAction::triggered, &files, &ProjectFiles::askAddProps);
  connect(a.reimport, &QAction::triggered, &session_, [this] { session_.reload(); });
  connect(a.save, &QAction::triggered, &files, &ProjectFiles::save);
  connect(a.saveAs, &QAction::triggered, &files, &ProjectFiles::askSaveAs);
  connect(a.exportAtlas, &QAction::triggered, &files, &ProjectFiles::askExport);
  connect(a.quit, &QAction::triggered, &window_, &QWidget::close);
  connect(a.selectAll, &QAction::triggered, &selection_, &Selection::selectAll);
  connect(a.selectNone, &QAction::triggered, &selection_, &Selection::clear);
  connect(a.selectInverse, &QAction::triggered, &selection_, &Selection::invert);
  connect(a.findActors, &QAction::triggered, this, [this] {
    window_.panels().raise(*actors_);
    actors_->filterField().setFocus(Qt::ShortcutFocusReason);
  });
  connect(a.fade, &QAction::triggered, this, &MainMenus::askFade);
  connect(a.bake, &QAction::triggered, &session_, &Session::bakeNow);
  connect(a.cancel, &QAction::triggered, &tasks_, &TaskRunner::cancelAll);
  connect(a.actorCount, &QAction::triggered, this, [this] { actors_->spawnBar().focusCount(); });
  connect(a.reseed, &QAction::triggered, this, [this] { actors_->spawnBar().reseed(); });
  connect(a.fullScreen, &QAction::toggled, this, [this](bool on) {
    window_.setWindowState(window_.windowState().setFlag(Qt::WindowFullScreen, on));
  });
  connect(a.figures, &QAction::toggled, viewport_, &ViewportFrame::setFiguresShown);
  connect(a.resetLayout, &QAction::triggered, &window_.panels(), &WindowLayout::layOut);
  connect(a.about, &QAction::triggered, this, [this] { showAbout(window_); });
  connect(a.cheatSheet, &QAction::triggered, this, [this] {
    QList<QAction*> shown = window_.findChildren<QAction*>();
    showCheatSheet(window_, shown);
  });
  bindTruth(
      *a.grid, document_, tr("Grid"), [](const Project& p) { return p.view.grid; },
      [](Project& p, bool on) { p.view.grid = on; });
  ViewportWidget* viewport = viewport_->viewport();
  for (QAction* action : a.viewportKeys()) action->setVisible(viewport != nullptr);
  if (!viewport) return;
  connect(a.frameAll, &QAction::triggered, viewport, &ViewportWidget::frameAll);
  connect(a.frameSelected, &QAction::triggered, viewport, &ViewportWidget::frameSelected);
  viewport->addActions(a.viewportKeys());
  viewport->addActions(timeline_->ruler().actions());
}

// The clips of the first selected actor's character.
void MainMenus::askFade() {
  const Project& project = document_.project();
  const std::vector<int> actors = selection_.actors();
  if (actors.empty()) return;
  const int of = project.actors[std::size_t(actors.front())].character;
  QStringList clips;
  for (const ProjectClip& clip : clipsOf(project, of)) clips << textOf(titleOf(clip));
  if (clips.isEmpty()) return;
  auto* dialog = new FadeDialog(clips, int(actors.size()), &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog, actors, of] { playback_.fade(actors, dialog->request(), of); });
  dialog->open();
}

void MainMenus::makeMenus() {
  const MainActions& a = *actions_;
  QMenuBar* bar = window_.menuBar();
  QMenu* file = bar->addMenu(tr("&File"));
  file->setToolTipsVisible(true);
  file->addActions({a.newProject, a.open});
  QMenu* recent = file->addMenu(icon("clock"), tr("Open r&ecent"));
  connect(recent, &QMenu::aboutToShow, this,
          [this, recent] { window_.files().fillRecent(*recent); });
  QMenu* samples = file->addMenu(icon("package-open"), tr("Open sam&ple"));
  samples->setToolTipsVisible(true);
  samples->addActions({a.openPlaza, a.openMeadow});
  file->addSeparator();
  file->addActions({a.importRig, a.addClips, a.addCharacters, a.reimport});
  file->addSeparator();
  file->addActions({a.save, a.saveAs});
  file->addSeparator();
  file->addAction(a.exportAtlas);
  file->addSeparator();
  file->addAction(a.quit);

  QMenu* edit = bar->addMenu(tr("&Edit"));
  undo_ = document_.undoStack().createUndoAction(&window_, tr("&Undo"));
  undo_->setIcon(icon("undo-2"));
  undo_->setShortcut(QKeySequence::Undo);
  undo_->setObjectName(QStringLiteral("undo"));
  redo_ = document_.undoStack().createRedoAction(&window_, tr("&Redo"));
  redo_->setIcon(icon("redo-2"));
  redo_->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
  redo_->setObjectName(QStringLiteral("redo"));
  edit->addActions({undo_, redo_});
  edit->addSeparator();
  edit->addActions({a.selectAll, a.selectNone, a.selectInverse});
  edit->addSeparator();
  edit->addActions({a.findActors, a.fade});

  QMenu* view = bar->addMenu(tr("&View"));
  view->addActions({a.frameSelected, a.frameAll});
  view->addSeparator();
  view->addActions({a.grid, a.figures});
  if (viewport_->viewport()) {
    view->addSeparator();
    view->addMenu(variants_);
    view->addMenu(makeShadowsMenu(document_, &window_));
    view->addMenu(makeTickRateMenu(document_, &window_));
    view->addMenu(makeFacesMenu(document_, &window_));
  }
  view->addSeparator();
  view->addAction(a.fullScreen);

  QMenu* bake = bar->addMenu(tr("&Bake"));
  bake->setToolTipsVisible(true);
  bake->addActions({a.bake, a.cancel});

  QMenu* crowd = bar->addMenu(tr("&Crowd"));
  crowd->setToolTipsVisible(true);
  crowd->addActions({a.actorCount, a.reseed});
  QMenu* formations = crowd->addMenu(tr("&Formation"));
  for (const Formation formation : {Formation::Grid, Formation::Disc, Formation::Scatter}) {
    formations->addAction(formationTitle(formation), this,
                          [this, formation] { actors_->spawnBar().setFormation(formation); });
  }
  crowd->addSeparator();
  crowd->addAction(a.addProps);
  connect(crowd, &QMenu::aboutToShow, formations,
          [this, formations] { formations->setEnabled(!clipsOf(document_.project(), 0).empty()); });

  QMenu* play = bar->addMenu(tr("&Play"));
  play->addActions(timeline_->ruler().actions());

  if (viewport_->viewport()) {
    bar->addMenu(
        new DiagnosticsMenu(document_, session_, playback_, *viewport_->viewport(), &window_));
  }

  QMenu* window = bar->addMenu(tr("&Window"));
  int key = Qt::Key_1;
  for (QDockWidget* dock : window_.panels().docks()) {
    window->addAction(makePanelAction(*dock, QKeySequence(Qt::CTRL | Qt::Key(key++))));
  }
  window->addSeparator();
  window->addAction(a.resetLayout);

  QMenu* help = bar->addMenu(tr("&Help"));
  help->addActions({a.cheatSheet, a.about});
}

// Qt's own action hides a panel that is behind another one, although the user wants to see it.
QAction* MainMenus::makePanelAction(QDockWidget& dock, const QKeySequence& key) {
  auto* action = new QAction(dock.windowTitle(), &window_);
  action->setShortcut(key);
  action->setCheckable(true);
  action->setStatusTip(tr("Show the panel, or hide it where it is in front"));
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
  return action;
}

void MainMenus::makeToolBar() {
  const MainActions& a = *actions_;
  auto* bar = new QToolBar(tr("Tool bar"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  bar->setIconSize(QSize(20, 20));
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  window_.addToolBar(bar);
  bar->addActions({a.open, a.save});
  bar->addSeparator();
  bar->addActions({undo_, redo_});
  bar->addSeparator();
  bar->addActions({a.importRig, a.addClips});
  bar->addSeparator();
  bar->addActions({a.bake, a.exportAtlas});
  if (viewport_->viewport()) {
    bar->addSeparator();
    bar->addActions({a.frameAll, a.grid});
    bar->addSeparator();
    const auto addChoice = [this, bar](const QString& label, QWidget* widget) {
      // The purpose of the boxes is also in their tool tips.
      QAction* shown = bar->addWidget(new QLabel(label));
      connect(&window_.panels(), &WindowLayout::narrowChanged, shown,
              [shown](bool narrow) { shown->setVisible(!narrow); });
      bar->addWidget(widget);
    };
    addChoice(tr("Show"), makeShownBox());
    addChoice(tr("Method"), makeMethodBox());
    addChoice(tr("Reading"), makeVariantButton());
  }
  for (QAction* action : bar->actions()) {
    if (QWidget* button = bar->widgetForAction(action)) {
      button->setFocusPolicy(action->text().isEmpty() ? button->focusPolicy() : Qt::TabFocus);
    }
  }
}

QComboBox* MainMenus::makeShownBox() {
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
         "Error: baked, coloured by the distance to the source, hottest at 5 mm. Blends: fades "
         "left relative to the parent joint, right in the world, with what each costs. Motion: "
         "coloured by the way since the tick before, its "
         "direction on the screen as a hue, brightest at 3 metres a second. Tangents: their "
         "direction in the world as a colour, "
         "darker where the texture coordinates are mirrored"));
  const auto showRefusal = [this, box] {
    const int tangents = box->findData(int(ViewMode::Tangents));
    const bool there = session_.character() && hasTangents(*session_.character());
    qobject_cast<QStandardItemModel*>(box->model())->item(tangents)->setEnabled(there);
    box->setItemData(tangents,
                     there ? QString() : tr("No mesh of the character has tangents to be shown"),
                     Qt::ToolTipRole);
    if (!there && box->currentIndex() == tangents) box->setCurrentIndex(0);
  };
  connect(&session_, &Session::characterChanged, box, showRefusal);
  showRefusal();
  ViewportWidget* viewport = viewport_->viewport();
  connect(box, &QComboBox::currentIndexChanged, this, [viewport, box](int index) {
    if (index >= 0) viewport->setViewMode(ViewMode(box->currentData().toInt()));
  });
  connect(viewport, &ViewportWidget::viewModeChanged, box, [viewport, box] {
    // The menu Diagnostics has modes that are not in the box.
    const render::ReferencePtr reference = viewport->reference();
    box->setPlaceholderText(reference ? textOf(reference->title) : QString());
    box->setCurrentIndex(box->findData(int(viewport->viewMode())));
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
    const auto* items = qobject_cast<QStandardItemModel*>(box->model());
    for (int i = 0; i < box->count(); ++i) {
      const Method method = Method(box->itemData(i).toInt());
      const QString refusal =
          session_.atlas() ? sentenceOf(render::whyNotDrawn(method, session_.atlas()->encoding))
                           : QString();
      items->item(i)->setEnabled(refusal.isEmpty());
      box->setItemData(i, refusal, Qt::ToolTipRole);
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
  const auto show = [this, button] { button->setText(variants_->words()); };
  connect(variants_, &VariantMenu::wordsChanged, button, show);
  show();
  return button;
}

}  // namespace ck::ui
