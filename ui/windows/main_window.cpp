#include "ui/windows/main_window.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <algorithm>
#include <initializer_list>

#include "core/project/characters.h"
#include "core/view/drawn_as.h"
#include "ui/actors/actors_panel.h"
#include "ui/atlas_view/atlas_panel.h"
#include "ui/bake/bake_panel.h"
#include "ui/bake/verdict.h"
#include "ui/characters/characters_panel.h"
#include "ui/characters/match_dialog.h"
#include "ui/characters/props_box.h"
#include "ui/clips/clips_panel.h"
#include "ui/doctor/doctor_panel.h"
#include "ui/document/name_text.h"
#include "ui/document/prop_session.h"
#include "ui/document/text.h"
#include "ui/files/file_kinds.h"
#include "ui/fit/finder_panel.h"
#include "ui/history/history_panel.h"
#include "ui/morphs/morphs_panel.h"
#include "ui/parts/field_filter.h"
#include "ui/parts/tool_tips.h"
#include "ui/start/drop_overlay.h"
#include "ui/start/first_steps.h"
#include "ui/start/start_page.h"
#include "ui/stats/levels_page.h"
#include "ui/stats/stats_panel.h"
#include "ui/timeline/error_graph.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_ruler.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/spot_guide.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/main_menus.h"
#include "ui/windows/status_strip.h"

namespace ck::ui {
namespace {

// Qt gives no name to the text field inside a spin box, which gets the focus.
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
      sourceWatch_(document_, session_),
      playback_(document_, session_),
      selection_(document_),
      thumbnails_(session_, playback_),
      examination_(document_, session_, playback_),
      viewport_(new ViewportFrame(document_, session_, playback_, selection_, whyNoGl)),
      guide_(
          new SpotGuide(document_, session_, playback_, selection_, viewport_->viewport(), this)),
      status_(new StatusStrip(tasks_, log_)),
      files_(
          new ProjectFiles(*this, document_, tasks_, session_, playback_, selection_, *viewport_)),
      panels_(new WindowLayout(*this)) {
  auto* fields = new FieldFilter(this);
  new ToolTipFilter(this);
  resize(1600, 960);
  setAcceptDrops(true);
  setCentralWidget(viewport_);
  setStatusBar(status_);
  addPanels();
  addMenus();
  connectSession();
  connectPanels();
  connectStartPage();
  nameInnerFields(*this);
  panels_->restore();
  updateTitle();
  fields->setView(viewport_->viewport());
  if (viewport_->viewport()) viewport_->viewport()->setFocus();
  playback_.setPlaying(true);
}

// The panels must be destroyed before the objects that they refer to. Signals that these emit
// during their destruction (for example QUndoStack) must not reach deleted objects.
MainWindow::~MainWindow() {
  tasks_.cancelAll();
  for (QObject* one : std::initializer_list<QObject*>{
           &document_, &document_.undoStack(), &tasks_, &session_, &session_.props(), &sourceWatch_,
           &playback_, &selection_, &thumbnails_, &examination_, &log_}) {
    one->disconnect();
  }
  delete panels_;
  delete takeCentralWidget();
  delete guide_;
}

// A row a panel. Ctrl+1, Ctrl+2 and so on show them in this order; Ctrl+0 shows the tenth.
void MainWindow::addPanels() {
  auto* clips = new ClipsPanel(document_, session_, playback_, clipSelection_, &thumbnails_);
  clips->setExamination(examination_);
  const auto add = [this](const char* name, const QString& title, PanelPlace place,
                          QWidget* panel) -> QDockWidget& {
    return panels_->add(QLatin1String(name), title, place, panel);
  };
  add("clips", tr("Clips"), PanelPlace::Left, clips);
  add("bake", tr("Bake"), PanelPlace::LeftBelow, new BakePanel(document_, session_, playback_));
  add("actors", tr("Actors"), PanelPlace::Right, new ActorsPanel(document_, session_, selection_));
  add("timeline", tr("Timeline"), PanelPlace::Bottom,
      new TimelinePanel(document_, session_, playback_, clips->model(), clipSelection_,
                        &thumbnails_));
  QDockWidget& log = add("log", tr("Log"), PanelPlace::BottomTab, new LogPanel(log_));
  add("atlas", tr("Atlas"), PanelPlace::RightBelow,
      new AtlasPanel(document_, session_, playback_, selection_));
  add("stats", tr("Stats"), PanelPlace::BottomTab, new StatsPanel);
  add("morphs", tr("Morphs"), PanelPlace::BottomTab,
      new MorphsPanel(document_, session_, playback_, selection_, viewport_->viewport()));
  add("characters", tr("Characters"), PanelPlace::RightTab,
      new CharactersPanel(document_, session_, playback_));
  add("doctor", tr("Doctor"), PanelPlace::BottomTab, new DoctorPanel(examination_, playback_));
  add("history", tr("History"), PanelPlace::RightTab, new HistoryPanel(document_));
  add("finder", tr("Atlas finder"), PanelPlace::BottomTab,
      new FinderPanel(document_, session_, playback_));
  connect(&log_, &LogModel::unreadChanged, &log, [&log](int count) {
    log.setWindowTitle(count > 0 ? tr("Log (%1)").arg(count) : tr("Log"));
  });
}

void MainWindow::addMenus() {
  new MainMenus({.window = *this,
                 .document = document_,
                 .session = session_,
                 .playback = playback_,
                 .selection = selection_,
                 .tasks = tasks_,
                 .sourceWatch = sourceWatch_,
                 .files = *files_,
                 .view = *viewport_,
                 .guide = *guide_,
                 .layout = *panels_,
                 .status = *status_,
                 .actors = panel<ActorsPanel>(),
                 .bake = panel<BakePanel>(),
                 .clips = panel<ClipsPanel>(),
                 .history = panel<HistoryPanel>(),
                 .timeline = panel<TimelinePanel>(),
                 .fitFiles = [this] { showFit(session_.loaded(playback_.shownCharacter())); }});
}

void MainWindow::connectSession() {
  const auto push = [this](const Notice& notice) { viewport_->notifications().push(notice); };
  connect(&session_, &Session::noticed, this, push);
  const auto review = [this] { viewport_->notifications().review(); };
  connect(&document_, &Document::changed, this, review);
  connect(&document_, &Document::titleChanged, this, review);
  connect(&document_.undoStack(), &QUndoStack::indexChanged, this, review);
  connect(&document_, &Document::replaced, &viewport_->notifications(),
          &NotificationBar::leaveProject);
  connect(&session_, &Session::changed, this, review);
  connect(&session_.props(), &PropSession::changed, this, review);
  connect(&thumbnails_, &ClipThumbnails::noticed, this, push);
  connect(&examination_, &Examination::failed, this,
          [push](const Error& error) { push(errorNotice(error)); });
  connect(&panel<AtlasPanel>(), &AtlasPanel::noticed, this, push);
  connect(&panel<FinderPanel>(), &FinderPanel::failed, this,
          [push](const Error& error) { push(errorNotice(error)); });
  connect(&sourceWatch_, &SourceWatch::gone, files_, &ProjectFiles::tellGone);
  connect(&session_, &Session::fitAsked, this,
          [this](const LoadedPtr& loaded) { showFit(loaded); });
  connect(&session_, &Session::reported, status_, &StatusStrip::report);
  connect(files_, &ProjectFiles::reported, status_, &StatusStrip::report);
  const auto isReading = [](const QString& tag) {
    return tag.section(u'/', 0, 0) == QLatin1String(CharacterLoader::kReadingTask);
  };
  connect(&tasks_, &TaskRunner::started, this, [=, this](const QString& tag, const QString& title) {
    if (isReading(tag)) viewport_->setReading(title);
  });
  connect(&tasks_, &TaskRunner::finished, this, [=, this](const QString& tag) {
    if (isReading(tag)) viewport_->setReading({});
  });
  connect(&document_, &Document::titleChanged, this, &MainWindow::updateTitle);
  connect(&selection_, &Selection::changed, this,
          [this] { playback_.setPreferred(selection_.actors()); });
  // With the clip of a single selected actor, the timeline shows what that actor plays.
  connect(&selection_, &Selection::changed, this, [this] {
    const bool one = selection_.actors().size() == 1;
    playback_.setFollowed(one ? selection_.actors().front() : -1);
    if (!one) return;
    const auto actor = std::size_t(selection_.actors().front());
    const Actor& its = document_.project().actors[actor];
    playback_.setShownCharacter(its.character);
    playback_.setShownClip(its.clip);
  });
}

void MainWindow::connectPanels() {
  panel<TimelinePanel>().setActors(selection_);
  connect(viewport_, &ViewportFrame::rendererNamed, status_, &StatusStrip::setRenderer);
  connect(status_, &StatusStrip::logAsked, this, [this] { panels_->raise(panel<LogPanel>()); });
  connect(&panel<ClipsPanel>(), &ClipsPanel::addClipsAsked, files_, &ProjectFiles::askAddClips);
  connect(&panel<ClipsPanel>(), &ClipsPanel::doctorAsked, this, [this](int clip) {
    panels_->raise(panel<DoctorPanel>());
    panel<DoctorPanel>().choose(clip);
  });
  connect(&panel<ClipsPanel>(), &ClipsPanel::fitAsked, this,
          [this] { showFit(session_.loaded(playback_.shownCharacter())); });
  connect(&panel<AtlasPanel>(), &AtlasPanel::frameAsked, this, [this](int clip, int frame) {
    playback_.setPlaying(false);
    playback_.setShownClip(clip);
    panel<TimelinePanel>().ruler().scrubTo(frame);
  });
  connect(&panel<AtlasPanel>(), &AtlasPanel::playAsked, &playback_,
          [this] { playback_.setPlaying(!playback_.isPlaying()); });
  CharactersPanel& characters = panel<CharactersPanel>();
  connect(&characters, &CharactersPanel::addFilesAsked, files_, &ProjectFiles::askAddCharacters);
  connect(&characters, &CharactersPanel::fitAsked, this, [this](int character, int source) {
    if (const LoadedPtr loaded = session_.loaded(character)) showFit(loaded, source);
  });
  connect(&characters.props(), &PropsBox::addAsked, files_, &ProjectFiles::askAddProps);
  StatsPanel* stats = &panel<StatsPanel>();
  const auto showError = [this, stats] {
    const Project& project = document_.project();
    ErrorLimits limits = project.errorLimits;
    limits.vertexMm = vertexLimitMm(project);
    limits.pixels = pixelLimit(project);
    const int shown = playback_.shownCharacter();
    const bool several = characterCount(project) > 1;
    stats->setError(session_.error(shown), drawnReading(project.view), limits,
                    several ? nameText(characterTitle(project, shown)) : QString());
  };
  const auto showCast = [stats](const Project& project) {
    QStringList names;
    for (int c = 0; c < characterCount(project); ++c) names << nameText(characterTitle(project, c));
    stats->setProject(names, project.view.detail);
  };
  showCast(document_.project());
  stats->levels().bind(document_);
  connect(&document_, &Document::changed, stats,
          [showError, showCast](const Project& before, const Project& now) {
            if (before.errorLimits != now.errorLimits || before.view != now.view) showError();
            showCast(now);
          });
  connect(&document_, &Document::replaced, stats, &StatsPanel::clear);
  connect(&session_, &Session::errorChanged, stats, showError);
  connect(&playback_, &Playback::shownCharacterChanged, stats, showError);
  connect(stats, &StatsPanel::worstAsked, guide_, [this](const ErrorFigure& figure) {
    guide_->goToWorst(figure, playback_.shownCharacter());
  });
  connect(&panel<BakePanel>(), &BakePanel::worstAsked, guide_,
          qOverload<const ErrorFigure&, int>(&SpotGuide::goToWorst));
  connect(&panel<BakePanel>(), &BakePanel::finderAsked, this, [this] {
    panels_->raise(panel<FinderPanel>());
    panel<FinderPanel>().focusSearch();
  });
  connect(&panel<TimelinePanel>().errorGraph(), &ErrorGraph::momentAsked, guide_,
          &SpotGuide::goToMoment);
  ViewportWidget* viewport = viewport_->viewport();
  if (!viewport) return;
  viewport->setGuide(guide_);
  connect(viewport, &ViewportWidget::ready, stats, [viewport, stats](const QString& reason) {
    if (reason.isEmpty()) stats->setRenderer(viewport->renderer()->facts());
  });
  connect(viewport, &ViewportWidget::framePainted, stats,
          [viewport, stats] { stats->addFrame(viewport->renderer()->stats()); });
}

void MainWindow::showFit(const LoadedPtr& loaded, int source) {
  if (!loaded) return;
  if (!fitting_) fitting_ = new MatchDialog(document_, session_, tasks_, this);
  fitting_->showFiles(loaded, source);
  fitting_->resize(fitting_->size().boundedTo(size()));
  fitting_->show();
  fitting_->raise();
  fitting_->activateWindow();
}

void MainWindow::keepWorkIn(const std::filesystem::path& folder) {
  files_->keepWorkIn(folder);
}

void MainWindow::updateTitle() {
  setWindowTitle(tr("%1[*] - Crowdkiln").arg(document_.displayName()));
  setWindowModified(document_.isModified());
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!files_->askToKeepChanges()) {
    event->ignore();
    return;
  }
  files_->keepPicture();
  panels_->keep();
  tasks_.cancelAll();
  event->accept();
}

// The choices are shown over the view, and the one under the pointer is taken.
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QMimeData& data = *event->mimeData();
  std::vector<DropChoice> choices = files_->dropChoices(data, event->modifiers());
  const QString refusal = whyNotDropped(data);
  if (choices.empty() && refusal.isEmpty()) return;
  DropOverlay& overlay = viewport_->dropOverlay();
  if (refusal.isEmpty()) {
    overlay.showChoices(dropHeading(data), std::move(choices));
    return event->acceptProposedAction();
  }
  // Taken, so that its end is told; the pointer shows that nothing would happen.
  overlay.showChoices(refusal, {});
  event->setDropAction(Qt::IgnoreAction);
  event->accept();
}

// A key that is pressed meanwhile may offer other choices.
void MainWindow::dragMoveEvent(QDragMoveEvent* event) {
  DropOverlay& overlay = viewport_->dropOverlay();
  std::vector<DropChoice> now = files_->dropChoices(*event->mimeData(), event->modifiers());
  if (!std::ranges::equal(now, overlay.choices(), {}, &DropChoice::title, &DropChoice::title)) {
    overlay.setChoices(std::move(now));
  }
  overlay.point(overlay.mapFrom(this, event->position().toPoint()));
  if (!overlay.choices().empty()) return event->acceptProposedAction();
  event->setDropAction(Qt::IgnoreAction);
  event->accept();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
  viewport_->dropOverlay().hide();
  event->accept();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  DropOverlay& overlay = viewport_->dropOverlay();
  overlay.point(overlay.mapFrom(this, event->position().toPoint()));
  overlay.take();
}

void MainWindow::connectStartPage() {
  connect(files_, &ProjectFiles::sampleOpened, &viewport_->firstSteps(), &FirstSteps::begin);
  StartPage& page = viewport_->startPage();
  connect(&page, &StartPage::openAsked, files_, &ProjectFiles::askOpen);
  connect(&page, &StartPage::importAsked, files_, &ProjectFiles::askImport);
  connect(&page, &StartPage::fileAsked, files_,
          [this](const QString& path) { files_->open({path}); });
  connect(&page, &StartPage::sampleAsked, files_,
          [this](const QByteArray& project) { files_->openSample(project.constData()); });
}

}  // namespace ck::ui
