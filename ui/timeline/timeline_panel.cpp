#include "ui/timeline/timeline_panel.h"

#include <QAction>
#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QToolButton>
#include <cmath>

#include "core/project/characters.h"
#include "ui/clips/clip_editor.h"
#include "ui/clips/clip_model.h"
#include "ui/clips/root_editor.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"
#include "ui/timeline/error_curves.h"
#include "ui/timeline/error_graph.h"
#include "ui/timeline/timeline_ruler.h"

namespace ck::ui {

TimelinePanel::TimelinePanel(Document& document, const Session& session, Playback& playback,
                             ClipModel& clips, ClipSelection& selected, ClipThumbnails* thumbnails,
                             QWidget* parent)
    : QWidget(parent),
      document_(document),
      playback_(playback),
      ruler_(new TimelineRuler(playback, clips, thumbnails)),
      graph_(new ErrorGraph(document, playback, *new ErrorCurves(document, session, playback, this),
                            *ruler_)),
      reading_(styledLabel("figures")),
      clock_(styledLabel("muted")) {
  setObjectName(QStringLiteral("panel"));
  reading_->setTextFormat(Qt::RichText);
  addTransports();
  clock_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* bottom = rowOf({reading_, {clock_, 1}});
  bottom->setContentsMargins(6, 0, 6, 0);
  layOutColumn(*this, {8, 5, 8, 6}, 4,
               {makeBar(),
                {ruler_, 3},
                {graph_, 2},
                new ClipEditor(clips, selected),
                new RootEditor(clips, selected),
                bottom});
  const auto showMark = [this, &clips] {
    mark_->setEnabled(clips.isEditable());
    mark_->setToolTip(clips.isEditable() ? tr("Mark an event (M)") : clips.whyNotEditable());
  };
  connect(&clips, &QAbstractItemModel::modelReset, this, showMark);
  showMark();
  connect(&playback, &Playback::timeChanged, this, &TimelinePanel::showReading);
  connect(&playback, &Playback::shownClipChanged, this, &TimelinePanel::showReading);
  showReading();
}

QAction* TimelinePanel::addTransport(const char* id, const QString& iconName, const QString& text,
                                     const QKeySequence& key, const std::function<void()>& run) {
  auto* action = new QAction(icon(iconName), text, this);
  action->setObjectName(QLatin1String(id));
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(tr("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
  action->setStatusTip(text);
  connect(action, &QAction::triggered, ruler_, run);
  ruler_->addAction(action);
  return action;
}

void TimelinePanel::addTransports() {
  addTransport("play.first", "skip-back", tr("First frame"), QKeySequence(Qt::SHIFT | Qt::Key_Left),
               [this] { ruler_->scrubTo(0.0); });
  addTransport("play.back", "step-back", tr("One frame back"), QKeySequence(Qt::Key_Left),
               [this] { ruler_->step(-1); });
  QAction* play = addTransport("play.play", "play", tr("Play"), QKeySequence(Qt::Key_Space),
                               [this] { playback_.setPlaying(!playback_.isPlaying()); });
  connect(&playback_, &Playback::playingChanged, this, [play](bool playing) {
    play->setIcon(icon(playing ? "pause" : "play"));
    play->setText(playing ? tr("Pause") : tr("Play"));
    play->setToolTip(playing ? tr("Pause (Space)") : tr("Play (Space)"));
  });
  addTransport("play.on", "step-forward", tr("One frame on"), QKeySequence(Qt::Key_Right),
               [this] { ruler_->step(1); });
  addTransport("play.last", "skip-forward", tr("Last frame"),
               QKeySequence(Qt::SHIFT | Qt::Key_Right),
               [this] { ruler_->scrubTo(ruler_->lastFrame()); });
  QAction* loop = addTransport("play.loop", "repeat", tr("Loop"), QKeySequence(Qt::Key_L), [] {});
  loop->setCheckable(true);
  loop->setIconVisibleInMenu(false);  // the icon would replace the check mark
  loop->setChecked(true);
  loop->setToolTip(tr("Loop (L): off, playing stops where the clip ends"));
  connect(loop, &QAction::toggled, this, [this](bool on) { playback_.setLooping(on); });
  mark_ = addTransport("play.mark", "plus", tr("Mark an event"), QKeySequence(Qt::Key_M),
                       [this] { ruler_->askEvent(); });
}

QWidget* TimelinePanel::makeBar() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(2, 0, 2, 0);
  layout->setSpacing(3);
  for (QAction* action : ruler_->actions()) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setIconSize(QSize(18, 18));
    button->setAccessibleName(action->text());
    layout->addWidget(button);
  }
  auto* speed = named(numberBox(0.0, 10.0, 0.1, QStringLiteral(" ") + QChar(0x00d7)),
                      tr("Playback speed"), tr("How fast the crowd's clock runs"));
  bindNumber(
      *speed, document_, tr("Playback speed"), [](const Project& p) { return p.playbackSpeed; },
      [](Project& p, double v) { p.playbackSpeed = v; });
  layout->addSpacing(10);
  layout->addWidget(labelFor(speed, tr("S&peed")));
  layout->addWidget(speed);
  layout->addStretch(1);
  return bar;
}

void TimelinePanel::showReading() {
  const auto clip = playback_.shownClip();
  if (!clip) {
    reading_->setText(tr("No clip to show"));
    clock_->clear();
    return;
  }
  const double frame = ruler_->frame();
  const double seconds =
      clip->frameCount > 1 ? frame / (clip->frameCount - 1) * clip->durationSeconds : 0.0;
  const Project& project = document_.project();
  const QString whose =
      characterCount(project) == 1
          ? QString()
          : nameText(characterTitle(project, playback_.shownCharacter())).toHtmlEscaped() +
                tr(": ");
  const int actor = playback_.followedActor();
  const QString who = actor >= 0 ? tr("actor %1: ").arg(actor + 1) : QString();
  QString text = tr("%1<b>%2</b>&nbsp;&nbsp; frame %3 of %4 &nbsp; %5 s")
                     .arg(who + whose, clip->name.toHtmlEscaped())
                     .arg(int(std::round(frame)))
                     .arg(clip->frameCount - 1)
                     .arg(fixedText(seconds, 2));
  if (clip->durationSeconds > 0.0) {
    text += tr(" &nbsp; %1 fps").arg(fixedText((clip->frameCount - 1) / clip->durationSeconds, 1));
  }
  if (!clip->baked) text += tr(" &nbsp; not baked");
  reading_->setText(text);
  clock_->setText(
      tr("%1crowd at %2 s").arg(commandReading(), fixedText(playback_.timeSeconds(), 2)));
}

void TimelinePanel::setActors(const Selection& actors) {
  actors_ = &actors;
  connect(&actors, &Selection::changed, this, &TimelinePanel::showReading);
  connect(&document_, &Document::changed, this, &TimelinePanel::showReading);
}

// How the selected actors play now, with a separator; empty if none has commands.
QString TimelinePanel::commandReading() const {
  if (actors_ == nullptr) return {};
  const ActorList& all = document_.project().actors;
  const double now = playback_.timeSeconds();
  int commanded = 0;
  int paused = 0;
  int backwards = 0;
  double own = 0.0;
  for (const int actor : actors_->actors()) {
    if (std::size_t(actor) >= all.size()) break;
    const std::vector<PlayCommand>& commands = all[std::size_t(actor)].commands;
    if (commands.empty()) continue;
    const OwnTime time(commands);
    const double pace = time.paceAt(now);
    own = time.at(now);
    ++commanded;
    paused += pace == 0.0 ? 1 : 0;
    backwards += pace < 0.0 ? 1 : 0;
  }
  if (commanded == 0) return {};
  if (actors_->actors().size() == 1) {
    const QString how = paused > 0      ? tr("paused")
                        : backwards > 0 ? tr("backwards")
                                        : tr("forwards");
    return tr("actor %1 at %2 s   ").arg(how, fixedText(own, 2));
  }
  return tr("%1 paused, %2 backwards of %3   ")
      .arg(paused)
      .arg(backwards)
      .arg(counted(qlonglong(actors_->actors().size()), tr("actor"), tr("actors")));
}

}  // namespace ck::ui
