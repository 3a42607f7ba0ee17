#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QInputDialog>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/crowd/clip_events.h"
#include "core/project/pipeline.h"
#include "ui/clips/clip_model.h"
#include "ui/document/playback.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_ruler.h"

namespace ck::ui {
namespace {

constexpr double kMarkPixels = 5.0;  // half of a mark's width
constexpr double kMarkTop = 17.0;
constexpr double kMarkBottom = 29.0;
constexpr qint64 kLitMs = 220;
const QColor kMark(0xff, 0xb9, 0x3d);
const QColor kLitMark(0xff, 0xf3, 0xb0);

}  // namespace

const std::vector<ClipEvent>& TimelineRuler::events() const {
  static const std::vector<ClipEvent> kNone;
  const int row = playback_.shownIndex();
  return row < clips_.rowCount() ? clips_.clip(row).events : kNone;
}

// The event drawn last is on top.
int TimelineRuler::eventAt(const QPointF& place) const {
  if (place.y() < kMarkTop || place.y() > kMarkBottom) return -1;
  const std::vector<ClipEvent>& all = events();
  for (int i = int(all.size()) - 1; i >= 0; --i) {
    const double x = xOfSeconds(all[std::size_t(i)].seconds);
    if (std::abs(place.x() - x) <= kMarkPixels + 1.0) return i;
  }
  return -1;
}

void TimelineRuler::editEvents(const QString& text,
                               const std::function<void(std::vector<ClipEvent>&)>& change,
                               const QString& mergeKey) {
  const int row = playback_.shownIndex();
  if (row >= clips_.rowCount() || !clips_.isEditable()) return;
  clips_.edit(
      text, {row}, [&change](ProjectClip& clip) { change(clip.events); }, mergeKey);
}

void TimelineRuler::addEvent(const QString& name, double seconds) {
  editEvents(tr("Event %1").arg(name), [&](std::vector<ClipEvent>& all) {
    all.push_back({utf8Of(name), seconds});
  });
}

void TimelineRuler::renameEvent(int event, const QString& name) {
  editEvents(tr("Name of an event"), [&](std::vector<ClipEvent>& all) {
    if (std::size_t(event) < all.size()) all[std::size_t(event)].name = utf8Of(name);
  });
}

void TimelineRuler::moveEvent(int event, double seconds) {
  const Span whole = axis();
  editEvents(
      tr("Time of an event"),
      [&](std::vector<ClipEvent>& all) {
        if (std::size_t(event) >= all.size()) return;
        all[std::size_t(event)].seconds = std::clamp(seconds, whole.start, whole.end);
      },
      QStringLiteral("event%1").arg(event));
}

void TimelineRuler::removeEvent(int event) {
  litUntilMs_.clear();
  editEvents(tr("Event removed"), [&](std::vector<ClipEvent>& all) {
    if (std::size_t(event) < all.size()) all.erase(all.begin() + event);
  });
}

void TimelineRuler::askEvent() {
  const auto clip = playback_.shownClip();
  if (!clip || !clips_.isEditable()) return;
  const double unit = frame() / std::max(1, frameCount() - 1);
  const double seconds = clip->startSeconds + unit * clip->durationSeconds * clip->rate;
  bool given = false;
  const QString name =
      QInputDialog::getText(
          window(), tr("Event of %1").arg(clip->name),
          tr("&Name of the event at %1 s of the file").arg(QLocale().toString(seconds, 'f', 3)),
          QLineEdit::Normal, tr("step"), &given)
          .trimmed();
  if (given && !name.isEmpty()) addEvent(name, seconds);
}

void TimelineRuler::askName(int event) {
  const QString now = textOf(events()[std::size_t(event)].name);
  bool given = false;
  const QString name = QInputDialog::getText(window(), tr("Event"), tr("&Name of the event"),
                                             QLineEdit::Normal, now, &given)
                           .trimmed();
  if (given && !name.isEmpty()) renameEvent(event, name);
}

void TimelineRuler::mouseDoubleClickEvent(QMouseEvent* event) {
  const int under = eventAt(event->position());
  if (under >= 0 && clips_.isEditable()) askName(under);
}

void TimelineRuler::contextMenuEvent(QContextMenuEvent* event) {
  if (!playback_.shownClip() || !clips_.isEditable()) return;
  const int under = eventAt(QPointF(event->pos()));
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (under >= 0) {
    menu->addAction(tr("&Rename event..."), this, [this, under] { askName(under); });
    menu->addAction(tr("&Delete event"), this, [this, under] { removeEvent(under); });
    menu->addSeparator();
  }
  menu->addAction(tr("&Mark an event at the play head..."), this, &TimelineRuler::askEvent);
  menu->popup(event->globalPos());
}

bool TimelineRuler::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int under = eventAt(QPointF(help->pos()));
    if (under >= 0) {
      const ClipEvent& mark = events()[std::size_t(under)];
      QToolTip::showText(
          help->globalPos(),
          (clips_.isEditable() ? tr("%1 at %2 s of the file. Drag to move, double-click to rename")
                               : tr("%1 at %2 s of the file"))
              .arg(textOf(mark.name).toHtmlEscaped(), QLocale().toString(mark.seconds, 'f', 3)),
          this);
      return true;
    }
  }
  return QWidget::event(event);
}

// Marks are highlighted when the playhead passes them, not for every actor of the crowd.
void TimelineRuler::lightPassed() {
  const double before = lastSeconds_;
  lastSeconds_ = playback_.timeSeconds();
  update();
  const auto clip = playback_.shownClip();
  if (!clip || !playback_.isPlaying() || events().empty()) return;
  const FadeSide head{.loop = clip->loop, .durationSeconds = clip->durationSeconds};
  for (std::size_t i = 0; i < events().size(); ++i) {
    const auto known =
        crowdEvents({events()[i]}, {clip->startSeconds, clip->durationSeconds, clip->rate});
    std::vector<double> passes;
    if (known.empty()) continue;
    appendPasses(head, 1.0, known.front().unit, {before, lastSeconds_}, passes);
    if (!passes.empty()) litUntilMs_[int(i)] = clock_.elapsed() + kLitMs;
  }
}

void TimelineRuler::paintEvents(QPainter& painter, const QRectF& band) const {
  const auto clip = playback_.shownClip();
  const std::vector<ClipEvent>& all = events();
  for (std::size_t i = 0; clip && i < all.size(); ++i) {
    const double x = xOfSeconds(all[i].seconds);
    const bool lit = litUntilMs_.value(int(i), -1) > clock_.elapsed();
    const bool fires =
        !crowdEvents({all[i]}, {clip->startSeconds, clip->durationSeconds, clip->rate}).empty();
    painter.setPen(Qt::NoPen);
    if (lit) {
      painter.setBrush(QColor(0xff, 0xd2, 0x66, 90));
      painter.drawEllipse(QPointF(x, kMarkTop + 5), 11, 11);
    }
    painter.setOpacity(fires ? 1.0 : 0.35);
    painter.setBrush(lit ? kLitMark : kMark);
    painter.drawPolygon(QPolygonF({{x - kMarkPixels, kMarkTop},
                                   {x + kMarkPixels, kMarkTop},
                                   {x + kMarkPixels, kMarkTop + 5},
                                   {x, kMarkTop + 10},
                                   {x - kMarkPixels, kMarkTop + 5}}));
    painter.drawRect(QRectF(x - 0.5, kMarkTop + 9, 1, band.bottom() - kMarkTop - 9));
    painter.setOpacity(1.0);
  }
}

}  // namespace ck::ui
