#include "ui/timeline/error_graph.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "render/view/error_scale.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"
#include "ui/timeline/error_curves.h"
#include "ui/timeline/timeline_ruler.h"

namespace ck::ui {
namespace {

constexpr double kEdge = 4.0;
// From this height on, the figures have a line of their own above the curve.
constexpr int kRoomy = 46;
constexpr double kSnapPixels = 6.0;  // a click this near to the worst moment means it
const QColor kCurve(0x6d, 0xb3, 0xff);
const QColor kWorst(0xff, 0x6b, 0xd6);  // as the mark in the view

}  // namespace

QPolygonF thinnedLine(const QPolygonF& line) {
  QPolygonF thin;
  const auto columnOf = [](const QPointF& point) { return std::floor(point.x()); };
  for (auto first = line.begin(); first != line.end();) {
    const auto end = std::find_if(first, line.end(), [&](const QPointF& point) {
      return columnOf(point) != columnOf(*first);
    });
    const auto [high, low] = std::minmax_element(
        first, end, [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
    auto before = line.end();
    for (const auto each : {first, std::min(high, low), std::max(high, low), end - 1}) {
      if (each != before) thin << *each;
      before = each;
    }
    first = end;
  }
  return thin;
}

ErrorGraph::ErrorGraph(const Document& document, Playback& playback, ErrorCurves& curves,
                       TimelineRuler& ruler, QWidget* parent)
    : QWidget(parent), document_(document), playback_(playback), curves_(curves), ruler_(ruler) {
  setAccessibleName(tr("Error over time"));
  setToolTip(
      tr("The largest distance of a vertex from the source, on and between the stored frames. "
         "Click: go to that frame. Double click: show the vertex"));
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMaximumHeight(200);
  setCursor(Qt::CrossCursor);
  connect(&curves, &ErrorCurves::changed, this, &ErrorGraph::describe);
  connect(&playback, &Playback::timeChanged, this, qOverload<>(&QWidget::update));
  connect(&document, &Document::changed, this, &ErrorGraph::describe);
  describe();
}

void ErrorGraph::showEvent(QShowEvent* event) {
  curves_.setWatched(true);
  QWidget::showEvent(event);
}

void ErrorGraph::hideEvent(QHideEvent* event) {
  curves_.setWatched(false);
  QWidget::hideEvent(event);
}

QString ErrorGraph::stateText() const {
  if (!playback_.shownClip()) return tr("No clip to show");
  if (curves_.atlasClip() < 0) return tr("The error over time is known after baking this clip");
  if (!curves_.problem().isEmpty()) return curves_.problem();
  return tr("Measuring the error over time...");
}

void ErrorGraph::describe() {
  const ErrorMoment* worst = curves_.worst();
  curve_ = {};
  setAccessibleDescription(worst ? tr("At most %1").arg(words(*worst)) : stateText());
  update();
}

double ErrorGraph::topMm() const {
  const ErrorMoment* worst = curves_.worst();
  const double limit = document_.project().errorLimits.vertexMm;
  const double most = worst ? worst->mm : 0.0;
  // A limit that is far away must not flatten the curve.
  return render::errorScaleFor(limit > 0.0 && limit < 4.0 * most ? std::max(most, limit) : most);
}

QFont ErrorGraph::smallFont() const {
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.86);
  return small;
}

QRectF ErrorGraph::plot() const {
  const double left = xOf(0.0);
  const double line = height() >= kRoomy ? QFontMetricsF(smallFont()).height() + 2.0 : 0.0;
  return QRectF(QPointF(left, kEdge + line),
                QPointF(std::max(left, xOf(1.0)), std::max(kEdge + line, height() - kEdge)));
}

double ErrorGraph::xOf(double unit) const {
  const auto clip = playback_.shownClip();
  if (!clip) return 0.0;
  return ruler_.xOfSeconds(clip->startSeconds + unit * clip->durationSeconds * clip->rate);
}

std::optional<QPointF> ErrorGraph::placeOf(const ErrorMoment& moment) const {
  if (!curves_.moments()) return std::nullopt;
  return axes().placeOf(moment);
}

double ErrorGraph::frameOf(const ErrorMoment& moment) const {
  const auto clip = playback_.shownClip();
  return clip ? moment.unit * (clip->frameCount - 1) : 0.0;
}

QString ErrorGraph::words(const ErrorMoment& moment) const {
  const QLocale locale;
  const Atlas* atlas = curves_.atlas();
  const bool named = atlas && moment.joint >= 0 && std::size_t(moment.joint) < atlas->joints.size();
  return tr("%1 mm, %2, frame %3")
      .arg(locale.toString(moment.mm, 'g', 3),
           named ? nameText(atlas->joints[std::size_t(moment.joint)].name) : tr("no joint"),
           locale.toString(frameOf(moment), 'f', 1));
}

const ErrorMoment* ErrorGraph::momentAt(double x) const {
  const std::vector<ErrorMoment>* all = curves_.moments();
  if (!all || all->empty()) return nullptr;
  const ErrorMoment* worst = curves_.worst();
  if (std::abs(xOf(worst->unit) - x) <= kSnapPixels) return worst;
  const double first = xOf(0.0);
  const double unit = (x - first) / std::max(1.0, xOf(1.0) - first);
  const auto after = std::ranges::lower_bound(*all, unit, {}, &ErrorMoment::unit);
  if (after == all->begin()) return &*after;
  if (after == all->end()) return &all->back();
  const auto before = after - 1;
  return unit - before->unit < after->unit - unit ? &*before : &*after;
}

QString ErrorGraph::readout() const {
  const ErrorMoment* moment = pointer_ ? momentAt(*pointer_) : nullptr;
  return moment ? words(*moment) : QString();
}

void ErrorGraph::mousePressEvent(QMouseEvent* event) {
  const ErrorMoment* moment = momentAt(event->position().x());
  if (event->button() != Qt::LeftButton || !moment) return;
  playback_.setPlaying(false);
  ruler_.scrubTo(frameOf(*moment));
}

void ErrorGraph::mouseMoveEvent(QMouseEvent* event) {
  pointer_ = event->position().x();
  if (event->buttons() & Qt::LeftButton) {
    const ErrorMoment* moment = momentAt(*pointer_);
    if (moment) ruler_.scrubTo(frameOf(*moment));
  }
  update();
}

void ErrorGraph::mouseDoubleClickEvent(QMouseEvent* event) {
  const ErrorMoment* moment = momentAt(event->position().x());
  if (event->button() != Qt::LeftButton || !moment) return;
  emit momentAsked(*moment, curves_.character(), curves_.atlasClip());
}

void ErrorGraph::leaveEvent(QEvent* event) {
  pointer_.reset();
  update();
  QWidget::leaveEvent(event);
}

ErrorGraph::Axes ErrorGraph::axes() const {
  return {plot(), size() * devicePixelRatioF(), xOf(0.0), xOf(1.0), topMm()};
}

QPointF ErrorGraph::Axes::placeOf(const ErrorMoment& moment) const {
  const double share = std::min(1.0, moment.mm / topMm);
  return {firstX + (lastX - firstX) * moment.unit, plot.top() + plot.height() * (1.0 - share)};
}

QPixmap ErrorGraph::pictureOf(const std::vector<ErrorMoment>& all, const Axes& axes) const {
  QPixmap picture(axes.pixels);
  picture.setDevicePixelRatio(devicePixelRatioF());
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  QPolygonF places;
  places.reserve(qsizetype(all.size()));
  for (const ErrorMoment& moment : all) places << axes.placeOf(moment);
  const QPolygonF line = thinnedLine(places);
  QPolygonF area = line;
  area << QPointF(line.back().x(), axes.plot.bottom())
       << QPointF(line.front().x(), axes.plot.bottom());
  QColor fill = kCurve;
  fill.setAlpha(60);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPolygon(area);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(kCurve, 1.4));
  painter.drawPolyline(line);
  return picture;
}

void ErrorGraph::paintEvent(QPaintEvent*) {
  constexpr int kLeastHeight = 24;
  if (height() < kLeastHeight) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF plot = this->plot();
  painter.setFont(smallFont());
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors::kBase);
  painter.drawRoundedRect(QRectF(rect()).adjusted(4, 0, -4, 0), 4, 4);
  const std::vector<ErrorMoment>* all = curves_.moments();
  if (!all || all->empty()) {
    painter.setPen(colors::kMuted);
    painter.drawText(rect(), Qt::AlignCenter, stateText());
    return;
  }
  const Axes axes = this->axes();
  if (curve_.isNull() || axes != curveAxes_) {
    curve_ = pictureOf(*all, axes);
    curveAxes_ = axes;
  }
  painter.drawPixmap(0, 0, curve_);
  const double top = axes.topMm;
  const double limit = document_.project().errorLimits.vertexMm;
  if (limit > 0.0 && limit <= top) {
    const double y = plot.bottom() - plot.height() * limit / top;
    painter.setPen(QPen(colors::kError, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
  }
  const double head = xOf(ruler_.frame() / std::max(1, ruler_.lastFrame()));
  painter.setPen(QPen(colors::kText, 1.0));
  painter.drawLine(QPointF(head, plot.top()), QPointF(head, plot.bottom()));
  const ErrorMoment* worst = curves_.worst();
  const QPointF peak = *placeOf(*worst);
  painter.setPen(QPen(kWorst, 2.0));
  painter.setBrush(colors::kBase);
  painter.drawEllipse(peak, 3.6, 3.6);
  // In a low graph the texts have a ground of their own, because the curve may be anywhere. The
  // first ones follow each other at the left, the last one is at the right.
  const QFontMetricsF metrics(painter.font());
  double next = plot.left() + 2.0;
  const auto write = [&](const QString& text, double x, const QColor& color) {
    const QRectF box(x, kEdge, metrics.horizontalAdvance(text) + 8.0, metrics.height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(18, 19, 21, 190));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(color);
    painter.drawText(box, Qt::AlignCenter, text);
    next = box.right() + 4.0;
  };
  const auto read = [&](const QString& text, const QColor& color) {
    const double wide = metrics.horizontalAdvance(text) + 8.0;
    write(text, std::max(next, plot.right() - wide - 2.0), color);
  };
  const QLocale locale;
  write(tr("%1 mm").arg(locale.toString(top)), next, colors::kMuted);
  if (limit > 0.0) {
    const QString number = locale.toString(limit, 'g', 3);
    write(limit <= top ? tr("limit %1 mm").arg(number) : tr("limit %1 mm, above").arg(number), next,
          worst->mm > limit ? colors::kError : colors::kMuted);
  }
  if (const ErrorMoment* under = pointer_ ? momentAt(*pointer_) : nullptr) {
    const QPointF at = *placeOf(*under);
    painter.setPen(QPen(colors::kFocus, 1.0, Qt::DotLine));
    painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors::kFocus);
    painter.drawEllipse(at, 3.0, 3.0);
    read(words(*under), colors::kText);
  } else {
    read(tr("worst: %1").arg(words(*worst)), kWorst);
  }
}

}  // namespace ck::ui
