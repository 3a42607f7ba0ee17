#include "ui/windows/main_window.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QCloseEvent>
#include <QDockWidget>
#include <QLineEdit>

#include "core/project/characters.h"
#include "ui/actors/actors_panel.h"
#include "ui/atlas_view/atlas_panel.h"
#include "ui/bake/bake_panel.h"
#include "ui/characters/characters_panel.h"
#include "ui/characters/props_box.h"
#include "ui/clips/clips_panel.h"
#include "ui/log/log_panel.h"
#include "ui/morphs/morphs_panel.h"
#include "ui/stats/stats_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/main_actions.h"
#include "ui/windows/status_strip.h"
#include "ui/windows/variant_menu.h"

namespace ck::ui {
namespace {

// The text field inside a spin box is what takes the focus, and Qt leaves it without a name.
void nameInnerFields(QWidget& window) {
  for (QAbstractSpinBox* box : window.findChildren<QAbstractSpinBox*>()) {
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(box);
    auto* field = box->findChild<QLineEdit*>();
    if (field && access) field->setAccessibleName(access->text(QAccessible::Name));
  }
}

}  // namespace

MainWindow::MainWindow(const QString& whyNoGl)
    : session_(document_, tasks_),
      playback_(document_, session_),
      selection_(document_),
      pictures_(session_, playback_),
      actions_(new MainActions(this)),
      viewport_(new ViewportFrame(document_, session_, playback_, selection_, whyNoGl)),
      clips_(new ClipsPanel(document_, session_, playback_, clipSelection_, &pictures_)),
      bake_(new BakePanel(document_, session_, playback_)),
      actors_(new ActorsPanel(document_, session_, selection_)),
      characters_(new CharactersPanel(document_, session_, playback_)),
      timeline_(
          new TimelinePanel(document_, playback_, clips_->model(), clipSelection_, &pictures_)),
      logPanel_(new LogPanel(log_)),
      atlas_(new AtlasPanel(document_, session_, playback_, selection_)),
      stats_(new StatsPanel),
      morphs_(new MorphsPanel(document_, session_, playback_, selection_, viewport_->viewport())),
      status_(new StatusStrip(tasks_, log_)) {
  setMinimumSize(1024, 640);
  resize(1600, 960);
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setCentralWidget(viewport_);
  setStatusBar(status_);
  makeDocks();
  makeMenus();
  makeToolBar();
  connectActions();
  connectSession();
  nameInnerFields(*this);
  const QString missing = tr("The samples are not installed beside this program");
  setEnabledBecause(*actions_->openPlaza, !findSample().empty(), missing);
  setEnabledBecause(*actions_->openMeadow, !findSample("meadow/meadow.crowd").empty(), missing);
  restoreLayout();
  updateActions();
  updateTitle();
  if (viewport_->viewport()) viewport_->viewport()->setFocus();
  playback_.setPlaying(true);
}

// The panels go before what they look at.
MainWindow::~MainWindow() {
  tasks_.cancelAll();
  for (QDockWidget* dock : docks_) delete dock;
  delete takeCentralWidget();
}

void MainWindow::connectSession() {
  connect(&session_, &Session::noticed, this,
          [this](const Notice& notice) { viewport_->notifications().push(notice); });
  connect(&session_, &Session::locateAsked, this, &MainWindow::askLocate);
  connect(&session_, &Session::reported, status_, &StatusStrip::report);
  connect(viewport_, &ViewportFrame::rendererNamed, status_, &StatusStrip::setRenderer);
  connect(status_, &StatusStrip::logAsked, this, [this] {
    for (QDockWidget* dock : docks_) {
      if (dock->widget() != logPanel_) continue;
      dock->show();
      dock->raise();
    }
  });
  if (ViewportWidget* viewport = viewport_->viewport()) {
    connect(viewport, &ViewportWidget::ready, this, [this, viewport](const QString& reason) {
      if (!reason.isEmpty()) return;
      stats_->setRenderer(viewport->renderer()->facts());
      variants_->setSoftwareGl(viewport->renderer()->facts().software);
    });
    connect(viewport, &ViewportWidget::framePainted, this,
            [this, viewport] { stats_->addFrame(viewport->renderer()->stats()); });
  }
  connect(clips_, &ClipsPanel::addClipsAsked, this, &MainWindow::askAddClips);
  connect(characters_, &CharactersPanel::addFilesAsked, this, &MainWindow::askAddCharacters);
  connect(&characters_->props(), &PropsBox::addAsked, this, &MainWindow::askAddProps);
  connect(&document_, &Document::titleChanged, this, &MainWindow::updateTitle);
  connect(&document_, &Document::changed, this, &MainWindow::updateActions);
  connect(&session_, &Session::characterChanged, this, &MainWindow::updateActions);
  connect(&session_, &Session::bakeStateChanged, this, &MainWindow::updateActions);
  connect(&session_, &Session::costChanged, this, &MainWindow::updateActions);
  connect(&session_, &Session::changed, this, &MainWindow::updateActions);
  connect(&selection_, &Selection::changed, this, &MainWindow::updateActions);
  connect(&selection_, &Selection::changed, this,
          [this] { playback_.setPreferred(selection_.actors()); });
  // With the clip of one selected actor the time line shows what that actor does.
  connect(&selection_, &Selection::changed, this, [this] {
    if (selection_.actors().size() != 1) return;
    const auto actor = std::size_t(selection_.actors().front());
    const Actor& one = document_.project().actors[actor];
    playback_.setShownCharacter(one.character);
    playback_.setShownClip(one.clip);
  });
}

void MainWindow::updateTitle() {
  setWindowTitle(tr("%1[*] - Crowdkiln").arg(document_.displayName()));
  setWindowModified(document_.isModified());
}

void MainWindow::updateActions() {
  const bool rig = session_.character() != nullptr;
  const QString needsRig = tr("Import a rig first");
  setEnabledBecause(*actions_->addClips, rig, needsRig);
  setEnabledBecause(*actions_->addCharacters, rig, needsRig);
  setEnabledBecause(*actions_->addProps, rig, needsRig);
  setEnabledBecause(*actions_->reimport, !document_.project().characters.front().sources.empty(),
                    needsRig);
  setEnabledBecause(*actions_->exportAtlas, session_.atlas() != nullptr, tr("Bake first"));
  const BakeState state = session_.bakeState();
  const bool canBake =
      state == BakeState::Missing || state == BakeState::Outdated || state == BakeState::UpToDate;
  const QString refusal = session_.refusal();
  setEnabledBecause(*actions_->bake, canBake && refusal.isEmpty(),
                    !refusal.isEmpty()                  ? refusal
                    : state == BakeState::Baking        ? tr("It is being baked")
                    : state == BakeState::NothingTicked ? tr("Tick a clip first")
                    : state == BakeState::NoClips       ? tr("Add clips first")
                                                        : needsRig);
  setEnabledBecause(*actions_->cancel, tasks_.isBusy(), tr("Nothing is running"));
  const bool actors = document_.project().actors.size() > 0;
  const QString needsActors = tr("There are no actors");
  for (QAction* action : {actions_->selectAll, actions_->selectInverse, actions_->findActors,
                          actions_->frameAll, actions_->frameSelected}) {
    setEnabledBecause(*action, actors, needsActors);
  }
  setEnabledBecause(*actions_->fade, rig && !selection_.actors().empty(),
                    tr("Select actors first (Ctrl+A selects all)"));
  setEnabledBecause(*actions_->selectNone, !selection_.actors().empty(), tr("Nothing is selected"));
  const bool clips = !clipsOf(document_.project(), 0).empty();
  setEnabledBecause(*actions_->actorCount, clips, needsRig);
  setEnabledBecause(*actions_->reseed, clips, needsRig);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!askToKeepChanges()) {
    event->ignore();
    return;
  }
  keepLayout();
  tasks_.cancelAll();
  event->accept();
}

}  // namespace ck::ui
