#include "ui/timeline/timeline_ruler.h"

#include <QAccessibleWidget>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QInputDialog>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/anim/playback.h"
#include "core/crowd/clip_events.h"
#include "core/stage/pipeline.h"
#include "ui/clips/clip_editor.h"
#include "ui/clips/clip_model.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/clip_thumbnails.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kMargin = 14.0;
constexpr double kBandTop = 22.0;
constexpr double kBandHeight = 16.0;
// The minimum distance of labels.
constexpr double kLabelPixels = 46.0;
constexpr double kHeadPixels = 28.0;
// Below the band: first the handles, then the thumbnails.
constexpr double kHandleLane = 11.0;
constexpr double kHandlePixels = 7.0;
constexpr double kSmallestPose = 24.0;
constexpr double kLargestPose = 64.0;

class RulerAccess : public QAccessibleWidget, public QAccessibleValueInterface {
 public:
  explicit RulerAccess(TimelineRuler* ruler) : QAccessibleWidget(ruler, QAccessible::Slider) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }
  QVariant currentValue() const override { return ruler().frame(); }
  void setCurrentValue(const QVariant& value) override { ruler().scrubTo(value.toDouble()); }
  QVariant maximumValue() const override { return ruler().lastFrame(); }
  QVariant minimumValue() const override { return 0; }
  QVariant minimumStepSize() const override { return 1; }

 private:
  TimelineRuler& ruler() const { return *static_cast<TimelineRuler*>(widget()); }
};

QAccessibleInterface* makeAccess(const QString&, QObject* object) {
  auto* ruler = qobject_cast<TimelineRuler*>(object);
  return ruler ? new RulerAccess(ruler) : nullptr;
}

constexpr double kMarkPixels = 5.0;  // half of a mark's width
constexpr double kMarkTop = 17.0;
constexpr double kMarkBottom = 29.0;
constexpr qint64 kLitMs = 220;
const QColor kMark(0xff, 0xb9, 0x3d);
const QColor kLitMark(0xff, 0xf3, 0xb0);

}  // namespace

void installTimelineAccessibility() {
  QAccessible::installFactory(makeAccess);
}

TimelineRuler::TimelineRuler(Playback& playback, ClipModel& clips, ClipThumbnails* thumbnails,
                             QWidget* parent)
    : QWidget(parent), playback_(playback), clips_(clips), thumbnails_(thumbnails) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Timeline"));
  setToolTip(
      tr("Click or drag to go to a frame. The marks below the band cut the clip. Arrow keys "
         "step, Space plays, M marks an event"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMaximumHeight(int(kBandTop + kBandHeight + kHandleLane + kLargestPose) + 4);
  setMouseTracking(true);
  connect(&clips, &QAbstractItemModel::dataChanged, this, qOverload<>(&QWidget::update));
  if (thumbnails)
    connect(thumbnails, &ClipThumbnails::changed, this, qOverload<>(&QWidget::update));
  clock_.start();
  connect(&playback, &Playback::timeChanged, this, &TimelineRuler::lightPassed);
  connect(&playback, &Playback::shownClipChanged, this, &TimelineRuler::nameForReaders);
  nameForReaders();
}

void TimelineRuler::nameForReaders() {
  const auto clip = playback_.shownClip();
  setAccessibleDescription(
      clip ? tr("%1, %2").arg(clip->name, counted(clip->frameCount, tr("frame"), tr("frames")))
           : tr("No clip"));
  update();
}

int TimelineRuler::lastFrame() const {
  const auto clip = playback_.shownClip();
  return clip ? clip->frameCount - 1 : 1;
}

double TimelineRuler::frame() const {
  return playback_.shownFrame();
}

void TimelineRuler::scrubTo(double frame) {
  const auto clip = playback_.shownClip();
  if (!clip || clip->durationSeconds <= 0.0) return;
  // Rounding must not show the pose before a step at its frame.
  constexpr double kAfterStep = 1e-4;
  const double shown = clip->steps ? frame + kAfterStep : frame;
  playback_.seekShown(std::clamp(shown / std::max(1, clip->frameCount - 1), 0.0, 1.0));
}

void TimelineRuler::step(int frames) {
  playback_.setPlaying(false);
  scrubTo(std::round(frame()) + frames);
}

const Clip* TimelineRuler::source() const {
  return clips_.source(playback_.shownIndex());
}

Trim TimelineRuler::axis() const {
  const auto clip = playback_.shownClip();
  Trim span;
  if (clip) span = {clip->startSeconds, clip->startSeconds + clip->durationSeconds * clip->rate};
  if (const Clip* whole = source()) {
    span.startSeconds = std::min(span.startSeconds, whole->startSeconds);
    span.endSeconds = std::max(span.endSeconds, whole->startSeconds + whole->durationSeconds);
  }
  return span;
}

Trim TimelineRuler::cut() const {
  return source() ? clips_.cut(playback_.shownIndex()) : Trim();
}

double TimelineRuler::xOfSeconds(double seconds) const {
  const auto [start, end] = axis();
  if (!(end > start)) return kMargin;
  return kMargin + (seconds - start) / (end - start) * (width() - 2 * kMargin);
}

double TimelineRuler::secondsAt(double x) const {
  const auto [start, end] = axis();
  return start + (x - kMargin) / std::max(1.0, width() - 2 * kMargin) * (end - start);
}

double TimelineRuler::xOf(double frame) const {
  const auto clip = playback_.shownClip();
  if (!clip) return kMargin;
  const double played = frame / std::max(1, lastFrame()) * clip->durationSeconds;
  return xOfSeconds(clip->startSeconds + played * clip->rate);
}

void TimelineRuler::scrubToPixel(double x) {
  const double first = xOf(0.0);
  scrubTo((x - first) / std::max(1.0, xOf(lastFrame()) - first) * lastFrame());
}

void TimelineRuler::trimTo(double startSeconds, double endSeconds) {
  const int row = playback_.shownIndex();
  if (!source()) return;
  const auto trim = trimWithin(*source(), startSeconds, endSeconds);
  clips_.edit(
      tr("Cut of %1").arg(clips_.index(row, 0).data().toString()), {row},
      [trim](ProjectClip& clip) { clip.edit.trim = trim; }, QStringLiteral("trim"));
}

TimelineRuler::Drag TimelineRuler::dragAt(const QPointF& place) const {
  const double lane = kBandTop + kBandHeight;
  const auto [start, end] = cut();
  if (place.y() < lane || place.y() > lane + kHandleLane || !(end > start) ||
      !clips_.isEditable()) {
    return Drag::Scrub;
  }
  const double fromStart = std::abs(place.x() - xOfSeconds(start));
  const double fromEnd = std::abs(place.x() - xOfSeconds(end));
  if (std::min(fromStart, fromEnd) > kHandlePixels) return Drag::Scrub;
  return fromStart < fromEnd ? Drag::Start : Drag::End;
}

void TimelineRuler::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  drag_ = dragAt(event->position());
  dragged_ = eventAt(event->position());
  if (dragged_ >= 0 && clips_.isEditable()) drag_ = Drag::Event;
  if (drag_ != Drag::Scrub) return;
  playback_.setPlaying(false);
  scrubToPixel(event->position().x());
}

void TimelineRuler::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) {
    const Drag under = dragAt(event->position());
    const bool moves =
        under != Drag::Scrub || (eventAt(event->position()) >= 0 && clips_.isEditable());
    setCursor(moves ? Qt::SizeHorCursor : Qt::ArrowCursor);
    return;
  }
  const double x = event->position().x();
  if (drag_ == Drag::Scrub) scrubToPixel(x);
  if (drag_ == Drag::None || drag_ == Drag::Scrub) return;
  const double seconds = snapped(secondsAt(x), event->modifiers());
  if (drag_ == Drag::Event) return moveClipEvent(dragged_, seconds);
  const auto [start, end] = cut();
  if (drag_ == Drag::Start) trimTo(seconds, end);
  if (drag_ == Drag::End) trimTo(start, seconds);
}

// Ends and events snap to keys; with Alt they do not.
double TimelineRuler::snapped(double seconds, Qt::KeyboardModifiers modifiers) const {
  const std::vector<double> keys = source() ? keyTimes(*source()) : std::vector<double>();
  if (keys.empty() || modifiers & Qt::AltModifier) return seconds;
  return *std::ranges::min_element(keys, {},
                                   [seconds](double key) { return std::abs(key - seconds); });
}

void TimelineRuler::mouseReleaseEvent(QMouseEvent*) {
  if (drag_ == Drag::Start || drag_ == Drag::End || drag_ == Drag::Event) clips_.endMerge();
  drag_ = Drag::None;
}

void TimelineRuler::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF band(kMargin, kBandTop, width() - 2 * kMargin, kBandHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0x1b, 0x1c, 0x1f));
  painter.drawRoundedRect(band.adjusted(-kMargin + 4, 0, kMargin - 4, 0), 4, 4);
  const auto clip = playback_.shownClip();
  if (!clip) return;
  painter.setBrush(clip->baked ? QColor(0x2b, 0x5c, 0x94) : QColor(0x4a, 0x4f, 0x56));
  QRectF played = band;
  played.setLeft(xOf(0.0));
  played.setRight(xOf(lastFrame()));
  painter.drawRoundedRect(played, 3, 3);
  paintPoses(painter, QRectF(band.left(), band.bottom() + kHandleLane, band.width(),
                             height() - band.bottom() - kHandleLane - 2));
  paintHandles(painter, band);
  paintTicks(painter, played);
  paintEvents(painter, band);
  paintHead(painter, band);
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors::kFocus, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
  }
}

void TimelineRuler::paintTicks(QPainter& painter, const QRectF& band) const {
  const int last = lastFrame();
  const double pixelsPerFrame = std::max(1e-3, band.width() / std::max(1, last));
  int labelStep = 1;
  for (const int step : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000, 100000}) {
    labelStep = step;
    if (step * pixelsPerFrame >= kLabelPixels) break;
  }
  // A tick for every baked frame, if ticks are far enough apart.
  const int tickStep = pixelsPerFrame >= 4.0 ? 1 : std::max(1, labelStep / 5);
  painter.setPen(QPen(QColor(255, 255, 255, 70), 1));
  for (int frame = 0; frame <= last; frame += tickStep) {
    const double x = std::round(xOf(frame)) + 0.5;
    const bool labelled = frame % labelStep == 0;
    painter.drawLine(QPointF(x, band.bottom() - (labelled ? 9 : 5)), QPointF(x, band.bottom()));
  }
  painter.setPen(colors::kMuted);
  // Labels make room for the playhead's label; the last label makes room for no other label.
  const double head = std::clamp(xOf(frame()), 0.0, double(width()));
  struct Label {
    QString text;
    double half;    // of its width
    double middle;  // within the ruler
  };
  const auto labelOf = [&](int number) {
    const QString text = QString::number(number);
    const double half = painter.fontMetrics().horizontalAdvance(text) / 2.0;
    return Label{text, half, std::clamp(xOf(number), half + 1, width() - half - 1)};
  };
  const auto draw = [&](const Label& label) {
    if (std::abs(label.middle - head) < kHeadPixels) return;
    painter.drawText(QRectF(label.middle - 30, 2, 60, kBandTop - 4), Qt::AlignCenter, label.text);
  };
  const Label end = labelOf(last);
  for (int number = 0; number < last; number += labelStep) {
    constexpr double kApart = 8.0;
    const Label label = labelOf(number);
    if (number == 0 || end.middle - label.middle >= end.half + label.half + kApart) draw(label);
  }
  if (last > 0) draw(end);
}

// Thumbnails at uniform times over the whole clip; those outside the trim are faint.
void TimelineRuler::paintPoses(QPainter& painter, const QRectF& lane) const {
  const double side = std::min(lane.height(), kLargestPose);
  if (!thumbnails_ || !source() || side < kSmallestPose) return;
  const int count = std::max(1, int(lane.width() / (side * 0.9)));
  const auto [start, end] = cut();
  for (int i = 0; i < count; ++i) {
    const double middle = lane.left() + lane.width() * (i + 0.5) / count;
    const double seconds = secondsAt(middle);
    // One size for all scales and heights, so that few thumbnails are rendered.
    const QImage image = thumbnails_->thumbnail(source()->name, seconds, int(2 * kLargestPose));
    if (image.isNull()) continue;
    painter.setOpacity(seconds < start || seconds > end ? 0.25 : 0.95);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(QRectF(middle - side / 2, lane.top(), side, side), image);
  }
  painter.setOpacity(1.0);
}

void TimelineRuler::paintHandles(QPainter& painter, const QRectF& band) const {
  const auto [start, end] = cut();
  if (!(end > start)) return;
  const double top = band.bottom() + 1;
  const bool isCut = clips_.clip(playback_.shownIndex()).edit.trim.has_value();
  // A clip that cannot be edited has no handles.
  if (!isCut && !clips_.isEditable()) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(isCut ? colors::kWarning : colors::kMuted);
  const double left = xOfSeconds(start);
  const double right = xOfSeconds(end);
  painter.drawRect(QRectF(left, top + 4, right - left, 1.5));
  for (const auto& [x, side] : {std::pair(left, 1.0), std::pair(right, -1.0)}) {
    painter.drawPolygon(QPolygonF({{x, top}, {x + side * 8, top + 4.5}, {x, top + 9}}));
    painter.drawRect(QRectF(x - 1, band.top(), 2, kBandHeight + 10));
  }
}

void TimelineRuler::paintHead(QPainter& painter, const QRectF& band) const {
  const double x = xOf(frame());
  const QString text = QString::number(int(std::round(frame())));
  painter.setPen(QPen(colors::kFocus, 2));
  painter.drawLine(QPointF(x, kBandTop - 2), QPointF(x, band.bottom() + 6));
  const double half = std::max(14.0, painter.fontMetrics().horizontalAdvance(text) / 2.0 + 6.0);
  const double middle = std::clamp(x, half + 1, width() - half - 1);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors::kAccent);
  painter.drawRoundedRect(QRectF(middle - half, 2, 2 * half, kBandTop - 5), 4, 4);
  painter.setPen(Qt::white);
  painter.drawText(QRectF(middle - half, 2, 2 * half, kBandTop - 5), Qt::AlignCenter, text);
}

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

void TimelineRuler::addClipEvent(const QString& name, double seconds) {
  editEvents(tr("Event %1").arg(name), [&](std::vector<ClipEvent>& all) {
    all.push_back({utf8Of(name), seconds});
  });
}

void TimelineRuler::editEvent(int event, const QString& text,
                              const std::function<void(ClipEvent&)>& change,
                              const QString& mergeKey) {
  editEvents(
      text,
      [&](std::vector<ClipEvent>& all) {
        if (std::size_t(event) < all.size()) change(all[std::size_t(event)]);
      },
      mergeKey);
}

void TimelineRuler::renameClipEvent(int event, const QString& name) {
  editEvent(event, tr("Name of an event"), [&](ClipEvent& one) { one.name = utf8Of(name); });
}

void TimelineRuler::moveClipEvent(int event, double seconds) {
  const auto [start, end] = axis();
  const double kept = std::clamp(seconds, start, end);
  editEvent(
      event, tr("Time of an event"), [kept](ClipEvent& one) { one.seconds = kept; },
      QStringLiteral("event%1").arg(event));
}

void TimelineRuler::removeClipEvent(int event) {
  litUntilMs_.clear();
  editEvents(tr("Event removed"), [&](std::vector<ClipEvent>& all) {
    if (std::size_t(event) < all.size()) all.erase(all.begin() + event);
  });
}

void TimelineRuler::askEvent() {
  const auto clip = playback_.shownClip();
  if (!clip || !clips_.isEditable()) return;
  const double unit = frame() / std::max(1, lastFrame());
  const double seconds = clip->startSeconds + unit * clip->durationSeconds * clip->rate;
  const QString name =
      askName(tr("Event of %1").arg(clip->name),
              tr("&Name of the event at %1 s of the file").arg(fixedText(seconds, 3)), tr("step"));
  if (!name.isEmpty()) addClipEvent(name, seconds);
}

void TimelineRuler::askNewName(int event) {
  const QString now = textOf(events()[std::size_t(event)].name);
  const QString name = askName(tr("Event"), tr("&Name of the event"), now);
  if (!name.isEmpty()) renameClipEvent(event, name);
}

QString TimelineRuler::askName(const QString& title, const QString& label, const QString& now) {
  bool given = false;
  const QString name =
      QInputDialog::getText(window(), title, label, QLineEdit::Normal, now, &given);
  return given ? name.trimmed() : QString();
}

void TimelineRuler::mouseDoubleClickEvent(QMouseEvent* event) {
  const int under = eventAt(event->position());
  if (under >= 0 && clips_.isEditable()) askNewName(under);
}

void TimelineRuler::contextMenuEvent(QContextMenuEvent* event) {
  if (!playback_.shownClip() || !clips_.isEditable()) return;
  const int under = eventAt(QPointF(event->pos()));
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (under >= 0) {
    menu->addAction(tr("&Rename event..."), this, [this, under] { askNewName(under); });
    menu->addAction(tr("&Delete event"), this, [this, under] { removeClipEvent(under); });
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
          QStringLiteral("<qt>") +
              (clips_.isEditable()
                   ? tr("%1 at %2 s of the file. Drag to move, double-click to rename")
                   : tr("%1 at %2 s of the file"))
                  .arg(nameText(mark.name).toHtmlEscaped(), fixedText(mark.seconds, 3)),
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
  const double unitBefore = std::exchange(lastUnit_, frame() / std::max(1, lastFrame()));
  if (!clip || !playback_.isPlaying() || events().empty()) return;
  const bool follows = playback_.followedActor() >= 0;
  // Whether a followed actor has passed it: forwards, and over the end of a loop.
  const auto passedByActor = [&](double unit) {
    return unitBefore <= lastUnit_
               ? unit >= unitBefore && unit < lastUnit_
               : clip->loop == LoopMode::Loop && (unit >= unitBefore || unit < lastUnit_);
  };
  const FadeSide head{.loop = clip->loop, .durationSeconds = clip->durationSeconds};
  for (std::size_t i = 0; i < events().size(); ++i) {
    const auto unit = unitOf(events()[i]);
    std::vector<double> passes;
    if (unit && !follows) appendPasses(head, 1.0, *unit, {before, lastSeconds_}, passes);
    if (!passes.empty() || (unit && follows && passedByActor(*unit)))
      litUntilMs_[int(i)] = clock_.elapsed() + kLitMs;
  }
}

std::optional<double> TimelineRuler::unitOf(const ClipEvent& event) const {
  const auto clip = playback_.shownClip();
  const auto fired = crowdEvents({event}, {clip->startSeconds, clip->durationSeconds, clip->rate});
  return fired.empty() ? std::nullopt : std::optional(fired.front().unit);
}

void TimelineRuler::paintEvents(QPainter& painter, const QRectF& band) const {
  const std::vector<ClipEvent>& all = events();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double x = xOfSeconds(all[i].seconds);
    const bool lit = litUntilMs_.value(int(i), -1) > clock_.elapsed();
    painter.setPen(Qt::NoPen);
    if (lit) {
      painter.setBrush(QColor(0xff, 0xd2, 0x66, 90));
      painter.drawEllipse(QPointF(x, kMarkTop + 5), 11, 11);
    }
    painter.setOpacity(unitOf(all[i]) ? 1.0 : 0.35);
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
