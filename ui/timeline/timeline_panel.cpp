#include "ui/timeline/timeline_panel.h"

#include <QAction>
#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <cmath>

#include "core/project/characters.h"
#include "ui/clips/clip_editor.h"
#include "ui/clips/clip_model.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_ruler.h"

namespace ck::ui {

TimelinePanel::TimelinePanel(Document& document, Playback& playback, ClipModel& clips,
                             ClipSelection& selected, ClipPictures* pictures, QWidget* parent)
    : QWidget(parent),
      document_(document),
      playback_(playback),
      ruler_(new TimelineRuler(playback, clips, pictures)),
      reading_(new QLabel),
      clock_(new QLabel),
      actions_{
          addTransport("skip-back", tr("First frame"), QKeySequence(Qt::SHIFT | Qt::Key_Left)),
          addTransport("step-back", tr("One frame back"), QKeySequence(Qt::Key_Left)),
          addTransport("play", tr("Play"), QKeySequence(Qt::Key_Space)),
          addTransport("step-forward", tr("One frame on"), QKeySequence(Qt::Key_Right)),
          addTransport("skip-forward", tr("Last frame"), QKeySequence(Qt::SHIFT | Qt::Key_Right)),
          addTransport("repeat", tr("Loop"), QKeySequence(Qt::Key_L)),
          addTransport("plus", tr("Mark an event"), QKeySequence(Qt::Key_M))} {
  setObjectName(QStringLiteral("panel"));
  connectTransport();
  reading_->setObjectName(QStringLiteral("figures"));
  clock_->setObjectName(QStringLiteral("muted"));
  clock_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(6, 0, 6, 0);
  bottom->addWidget(reading_);
  bottom->addWidget(clock_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 5, 8, 6);
  layout->setSpacing(4);
  layout->addWidget(makeBar());
  layout->addWidget(ruler_, 1);
  layout->addWidget(new ClipEditor(clips, selected));
  layout->addLayout(bottom);
  const auto showMark = [this, &clips] {
    actions_.mark->setEnabled(clips.isEditable());
    actions_.mark->setToolTip(clips.isEditable() ? tr("Mark an event (M)")
                                                 : clips.whyNotEditable());
  };
  connect(&clips, &QAbstractItemModel::modelReset, this, showMark);
  showMark();
  connect(&playback, &Playback::timeChanged, this, &TimelinePanel::showReading);
  connect(&playback, &Playback::shownClipChanged, this, &TimelinePanel::showReading);
  showReading();
}

QAction* TimelinePanel::addTransport(const QString& iconName, const QString& text,
                                     const QKeySequence& key) {
  auto* action = new QAction(icon(iconName), text, this);
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(tr("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
  action->setStatusTip(text);
  ruler_->addAction(action);
  return action;
}

void TimelinePanel::connectTransport() {
  connect(actions_.first, &QAction::triggered, ruler_, &TimelineRuler::toFirst);
  connect(actions_.last, &QAction::triggered, ruler_, &TimelineRuler::toLast);
  connect(actions_.back, &QAction::triggered, ruler_, [this] { ruler_->step(-1); });
  connect(actions_.forward, &QAction::triggered, ruler_, [this] { ruler_->step(1); });
  connect(actions_.play, &QAction::triggered, this,
          [this] { playback_.setPlaying(!playback_.isPlaying()); });
  connect(&playback_, &Playback::playingChanged, this, [this](bool playing) {
    actions_.play->setIcon(icon(playing ? "pause" : "play"));
    actions_.play->setText(playing ? tr("Pause") : tr("Play"));
    actions_.play->setToolTip(playing ? tr("Pause (Space)") : tr("Play (Space)"));
  });
  connect(actions_.mark, &QAction::triggered, ruler_, &TimelineRuler::askEvent);
  actions_.loop->setCheckable(true);
  actions_.loop->setIconVisibleInMenu(false);  // the icon would replace the check mark
  actions_.loop->setChecked(true);
  actions_.loop->setToolTip(tr("Loop (L): off, playing stops where the clip ends"));
  connect(actions_.loop, &QAction::toggled, this, [this](bool on) { playback_.setLooping(on); });
}

QWidget* TimelinePanel::makeBar() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(2, 0, 2, 0);
  layout->setSpacing(3);
  for (QAction* action : {actions_.first, actions_.back, actions_.play, actions_.forward,
                          actions_.last, actions_.loop, actions_.mark}) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setIconSize(QSize(18, 18));
    button->setAccessibleName(action->text());
    layout->addWidget(button);
  }
  auto* speedLabel = new QLabel(tr("S&peed"));
  auto* speed = new QDoubleSpinBox;
  speed->setRange(0.0, 10.0);
  speed->setSingleStep(0.1);
  speed->setDecimals(2);
  speed->setSuffix(QStringLiteral(" ") + QChar(0x00d7));
  speed->setToolTip(tr("How fast the crowd's clock runs"));
  speed->setAccessibleName(tr("Playback speed"));
  speedLabel->setBuddy(speed);
  bindNumber(
      *speed, document_, tr("Playback speed"), [](const Project& p) { return p.playbackSpeed; },
      [](Project& p, double v) { p.playbackSpeed = v; });
  layout->addSpacing(10);
  layout->addWidget(speedLabel);
  layout->addWidget(speed);
  layout->addStretch(1);
  return bar;
}

void TimelinePanel::showReading() {
  const auto clip = playback_.shownClip();
  const QLocale locale;
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
          : textOf(characterTitle(project, playback_.shownCharacter())).toHtmlEscaped() + tr(": ");
  QString text = tr("%1<b>%2</b>&nbsp;&nbsp; frame %3 of %4 &nbsp; %5 s")
                     .arg(whose, clip->name.toHtmlEscaped())
                     .arg(int(std::round(frame)))
                     .arg(clip->frameCount - 1)
                     .arg(locale.toString(seconds, 'f', 2));
  if (clip->durationSeconds > 0.0) {
    text += tr(" &nbsp; %1 fps")
                .arg(locale.toString((clip->frameCount - 1) / clip->durationSeconds, 'f', 1));
  }
  if (!clip->baked) text += tr(" &nbsp; not baked");
  reading_->setText(text);
  clock_->setText(tr("crowd at %1 s").arg(locale.toString(playback_.timeSeconds(), 'f', 2)));
}

}  // namespace ck::ui
