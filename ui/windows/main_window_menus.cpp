#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
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
#include "ui/windows/variant_menu.h"

namespace ck::ui {

void MainWindow::connectActions() {
  const MainActions& a = *actions_;
  connect(a.newProject, &QAction::triggered, this, &MainWindow::newProject);
  connect(a.open, &QAction::triggered, this, &MainWindow::askOpen);
  connect(a.openPlaza, &QAction::triggered, this, [this] { openSample("plaza/plaza.crowd"); });
  connect(a.openMeadow, &QAction::triggered, this, [this] { openSample("meadow/meadow.crowd"); });
  connect(a.importRig, &QAction::triggered, this, &MainWindow::askImport);
  connect(a.addClips, &QAction::triggered, this, &MainWindow::askAddClips);
  connect(a.addCharacters, &QAction::triggered, this, &MainWindow::askAddCharacters);
  connect(a.addProps, &QAction::triggered, this, &MainWindow::askAddProps);
  connect(a.reimport, &QAction::triggered, this, [this] { session_.reload(); });
  connect(a.save, &QAction::triggered, this, &MainWindow::save);
  connect(a.saveAs, &QAction::triggered, this, &MainWindow::askSaveAs);
  connect(a.exportAtlas, &QAction::triggered, this, &MainWindow::askExport);
  connect(a.quit, &QAction::triggered, this, &QWidget::close);
  connect(a.selectAll, &QAction::triggered, &selection_, &Selection::selectAll);
  connect(a.selectNone, &QAction::triggered, &selection_, &Selection::clear);
  connect(a.selectInverse, &QAction::triggered, &selection_, &Selection::invert);
  connect(a.findActors, &QAction::triggered, this, [this] {
    docks_[2]->show();
    docks_[2]->raise();
    actors_->filterField().setFocus(Qt::ShortcutFocusReason);
  });
  connect(a.fade, &QAction::triggered, this, &MainWindow::askFade);
  connect(a.bake, &QAction::triggered, &session_, &Session::bakeNow);
  connect(a.cancel, &QAction::triggered, &tasks_, &TaskRunner::cancelAll);
  connect(a.actorCount, &QAction::triggered, this, [this] { actors_->spawnBar().focusCount(); });
  connect(a.reseed, &QAction::triggered, this, [this] { actors_->spawnBar().reseed(); });
  connect(a.fullScreen, &QAction::toggled, this, [this](bool on) {
    setWindowState(on ? windowState() | Qt::WindowFullScreen
                      : windowState() & ~Qt::WindowStates(Qt::WindowFullScreen));
  });
  connect(a.figures, &QAction::toggled, viewport_, &ViewportFrame::setFiguresShown);
  connect(a.resetLayout, &QAction::triggered, this, &MainWindow::layOutPanels);
  connect(a.about, &QAction::triggered, this, [this] { showAbout(*this); });
  connect(a.cheatSheet, &QAction::triggered, this, [this] {
    QList<QAction*> shown = findChildren<QAction*>();
    showCheatSheet(*this, shown);
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

// To the clips of the first selected actor's character.
void MainWindow::askFade() {
  const Project& project = document_.project();
  const std::vector<int> actors = selection_.actors();
  if (actors.empty()) return;
  const int of = project.actors[std::size_t(actors.front())].character;
  QStringList clips;
  for (const ProjectClip& clip : clipsOf(project, of)) clips << textOf(titleOf(clip));
  if (clips.isEmpty()) return;
  auto* dialog = new FadeDialog(clips, int(actors.size()), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog, actors, of] { playback_.fade(actors, dialog->request(), of); });
  dialog->open();
}

void MainWindow::makeMenus() {
  const MainActions& a = *actions_;
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->setToolTipsVisible(true);
  file->addActions({a.newProject, a.open});
  recent_ = file->addMenu(icon("clock"), tr("Open r&ecent"));
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
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

  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = document_.undoStack().createUndoAction(this, tr("&Undo"));
  undo->setIcon(icon("undo-2"));
  undo->setShortcut(QKeySequence::Undo);
  undo->setObjectName(QStringLiteral("undo"));
  QAction* redo = document_.undoStack().createRedoAction(this, tr("&Redo"));
  redo->setIcon(icon("redo-2"));
  redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
  redo->setObjectName(QStringLiteral("redo"));
  edit->addActions({undo, redo});
  edit->addSeparator();
  edit->addActions({a.selectAll, a.selectNone, a.selectInverse});
  edit->addSeparator();
  edit->addActions({a.findActors, a.fade});

  QMenu* view = menuBar()->addMenu(tr("&View"));
  view->addActions({a.frameSelected, a.frameAll});
  view->addSeparator();
  view->addActions({a.grid, a.figures});
  if (viewport_->viewport()) {
    view->addSeparator();
    variants_ = new VariantMenu(document_, session_, playback_, this);
    variants_->setTitle(tr("&Reading of the atlas"));
    view->addMenu(variants_);
    view->addMenu(makeShadowsMenu(document_, this));
    view->addMenu(makeTickRateMenu(document_, this));
    view->addMenu(makeFacesMenu(document_, this));
  }
  view->addSeparator();
  view->addAction(a.fullScreen);

  QMenu* bake = menuBar()->addMenu(tr("&Bake"));
  bake->setToolTipsVisible(true);
  bake->addActions({a.bake, a.cancel});

  QMenu* crowd = menuBar()->addMenu(tr("&Crowd"));
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

  QMenu* play = menuBar()->addMenu(tr("&Play"));
  play->addActions(timeline_->ruler().actions());

  if (viewport_->viewport()) {
    menuBar()->addMenu(
        new DiagnosticsMenu(document_, session_, playback_, *viewport_->viewport(), this));
  }

  QMenu* window = menuBar()->addMenu(tr("&Window"));
  int key = Qt::Key_1;
  for (QDockWidget* dock : docks_) {
    window->addAction(makePanelAction(*dock, QKeySequence(Qt::CTRL | Qt::Key(key++))));
  }
  window->addSeparator();
  window->addAction(a.resetLayout);

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  help->addActions({a.cheatSheet, a.about});
}

// Qt's own action hides a panel that lies behind another, which is when one asks for it.
QAction* MainWindow::makePanelAction(QDockWidget& dock, const QKeySequence& key) {
  auto* action = new QAction(dock.windowTitle(), this);
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

void MainWindow::makeToolBar() {
  const MainActions& a = *actions_;
  auto* bar = new QToolBar(tr("Tool bar"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  bar->setIconSize(QSize(20, 20));
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  addToolBar(bar);
  bar->addActions({a.open, a.save});
  bar->addSeparator();
  bar->addActions(
      {findChild<QAction*>(QStringLiteral("undo")), findChild<QAction*>(QStringLiteral("redo"))});
  bar->addSeparator();
  bar->addActions({a.importRig, a.addClips});
  bar->addSeparator();
  bar->addActions({a.bake, a.exportAtlas});
  if (viewport_->viewport()) {
    bar->addSeparator();
    bar->addActions({a.frameAll, a.grid});
    bar->addSeparator();
    const auto addChoice = [this, bar](const QString& label, QWidget* widget) {
      barLabels_ << bar->addWidget(new QLabel(label));
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

QComboBox* MainWindow::makeShownBox() {
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

QComboBox* MainWindow::makeMethodBox() {
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

QToolButton* MainWindow::makeVariantButton() {
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

void MainWindow::fillRecent() {
  recent_->clear();
  const QStringList paths = QSettings().value(QStringLiteral("recent")).toStringList();
  for (const QString& path : paths) {
    QAction* action = recent_->addAction(QDir::toNativeSeparators(path), this,
                                         [this, path] { openFiles({path}); });
    action->setEnabled(QFileInfo::exists(path));
  }
  if (paths.isEmpty()) recent_->addAction(tr("Nothing opened yet"))->setEnabled(false);
  if (paths.isEmpty()) return;
  recent_->addSeparator();
  recent_->addAction(tr("Forget these"), this,
                     [] { QSettings().remove(QStringLiteral("recent")); });
}

}  // namespace ck::ui
