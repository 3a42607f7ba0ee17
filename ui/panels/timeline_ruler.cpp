#include "ui/panels/timeline_ruler.h"

#include <QAccessibleWidget>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/crowd/playback.h"
#include "ui/document/playback.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kMargin = 14.0;
constexpr double kBandTop = 22.0;
constexpr double kBandHeight = 16.0;
// Labels stand at least this far apart.
constexpr double kLabelPixels = 46.0;
constexpr double kHeadPixels = 28.0;

class RulerAccess : public QAccessibleWidget, public QAccessibleValueInterface {
 public:
  explicit RulerAccess(TimelineRuler* ruler) : QAccessibleWidget(ruler, QAccessible::Slider) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }
  QVariant currentValue() const override { return ruler().frame(); }
  void setCurrentValue(const QVariant& value) override { ruler().scrubTo(value.toDouble()); }
  QVariant maximumValue() const override { return ruler().property("lastFrame"); }
  QVariant minimumValue() const override { return 0; }
  QVariant minimumStepSize() const override { return 1; }

 private:
  TimelineRuler& ruler() const { return *static_cast<TimelineRuler*>(widget()); }
};

QAccessibleInterface* makeAccess(const QString&, QObject* object) {
  auto* ruler = qobject_cast<TimelineRuler*>(object);
  return ruler ? new RulerAccess(ruler) : nullptr;
}

}  // namespace

void installTimelineAccessibility() {
  QAccessible::installFactory(makeAccess);
}

TimelineRuler::TimelineRuler(Playback& playback, QWidget* parent)
    : QWidget(parent), playback_(playback) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Timeline"));
  setToolTip(tr("Click or drag to go to a frame. Arrow keys step, Space plays"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  connect(&playback, &Playback::timeChanged, this, qOverload<>(&QWidget::update));
  connect(&playback, &Playback::shownClipChanged, this, &TimelineRuler::nameForReaders);
  nameForReaders();
}

void TimelineRuler::nameForReaders() {
  setProperty("lastFrame", frameCount() - 1);
  const auto clip = playback_.shownClip();
  setAccessibleDescription(clip ? tr("%1, %2 frames").arg(clip->name).arg(clip->frameCount)
                                : tr("No clip"));
  update();
}

int TimelineRuler::frameCount() const {
  const auto clip = playback_.shownClip();
  return clip ? clip->frameCount : 2;
}

double TimelineRuler::frame() const {
  return playback_.shownFrame();
}

void TimelineRuler::scrubTo(double frame) {
  const auto clip = playback_.shownClip();
  if (!clip || clip->durationSeconds <= 0.0) return;
  // The last frame of a loop is the first of the next cycle; stay just before it.
  const double unit = std::clamp(frame / (clip->frameCount - 1), 0.0, 1.0 - 1e-7);
  double cycle = std::floor(playback_.timeSeconds() / clip->durationSeconds + 1e-6);
  if (clip->loop == LoopMode::Once) cycle = 0.0;
  if (clip->loop == LoopMode::PingPong) cycle -= std::fmod(cycle, 2.0);
  playback_.seek((cycle + unit) * clip->durationSeconds);
}

void TimelineRuler::step(int frames) {
  playback_.setPlaying(false);
  scrubTo(std::round(frame()) + frames);
}

void TimelineRuler::toFirst() {
  scrubTo(0.0);
}

void TimelineRuler::toLast() {
  scrubTo(frameCount() - 1);
}

double TimelineRuler::xOf(double frame) const {
  return kMargin + frame / std::max(1, frameCount() - 1) * (width() - 2 * kMargin);
}

void TimelineRuler::scrubToPixel(double x) {
  scrubTo((x - kMargin) / std::max(1.0, width() - 2 * kMargin) * (frameCount() - 1));
}

void TimelineRuler::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  playback_.setPlaying(false);
  scrubToPixel(event->position().x());
}

void TimelineRuler::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) scrubToPixel(event->position().x());
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
  painter.drawRoundedRect(band, 3, 3);
  paintTicks(painter, band);
  paintHead(painter, band);
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors::kFocus, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
  }
}

void TimelineRuler::paintTicks(QPainter& painter, const QRectF& band) const {
  const int last = frameCount() - 1;
  const double pixelsPerFrame = band.width() / std::max(1, last);
  int labelStep = 1;
  for (const int step : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000, 100000}) {
    labelStep = step;
    if (step * pixelsPerFrame >= kLabelPixels) break;
  }
  // A tick for every baked frame while they can be told apart.
  const int tickStep = pixelsPerFrame >= 4.0 ? 1 : std::max(1, labelStep / 5);
  painter.setPen(QPen(QColor(255, 255, 255, 70), 1));
  for (int frame = 0; frame <= last; frame += tickStep) {
    const double x = std::round(xOf(frame)) + 0.5;
    const bool labelled = frame % labelStep == 0;
    painter.drawLine(QPointF(x, band.bottom() - (labelled ? 9 : 5)), QPointF(x, band.bottom()));
  }
  painter.setPen(colors::kMuted);
  // Labels give way to the head's own, and the last one to nobody else.
  const double head = std::clamp(xOf(frame()), 0.0, double(width()));
  const auto label = [&](int number) {
    const double x = xOf(number);
    if (std::abs(x - head) < kHeadPixels) return;
    painter.drawText(QRectF(x - 30, 2, 60, kBandTop - 4), Qt::AlignCenter, QString::number(number));
  };
  for (int number = 0; number < last; number += labelStep) {
    if ((last - number) * pixelsPerFrame >= kLabelPixels * 0.6 || number == 0) label(number);
  }
  if (last > 0) label(last);
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

}  // namespace ck::ui
