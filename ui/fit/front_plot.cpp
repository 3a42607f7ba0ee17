#include "ui/fit/front_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/bake/bake_panel.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kRadius = 4.0;
constexpr double kLeastMm = 1e-4;
constexpr int kRound = 5;

double mmOf(const FitRow& row) {
  return std::max(figuresOf(row).vertices.max, kLeastMm);
}

// Some room around the outermost points, and a decade at least where there is one point.
void widen(double& low, double& high) {
  const double room = std::max(0.08 * (high - low), 0.05);
  low -= room;
  high += room;
}

}  // namespace

FrontPlot::FrontPlot(QWidget* parent) : QWidget(parent) {
  named(this, tr("Error against bytes"),
        tr("Each point is an atlas that was measured: to the right it is larger, upwards its error "
           "is. Both axes are logarithms. The line is the front, the ring its knee: after it bytes "
           "buy least. Click a point to choose it"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FrontPlot::show(const FitResult& result, const FitLimits& limits) {
  rows_ = result.rows;
  best_ = result.best;
  limits_ = limits;
  if (!rows_.empty()) {
    const auto [small, large] = std::ranges::minmax(rows_, {}, &FitRow::bytes);
    lowBytes_ = std::log10(double(small.bytes));
    highBytes_ = std::log10(double(large.bytes));
    const auto [near, far] = std::ranges::minmax(rows_, {}, mmOf);
    lowMm_ = std::log10(mmOf(near));
    highMm_ = std::log10(mmOf(far));
    widen(lowBytes_, highBytes_);
    widen(lowMm_, highMm_);
  }
  selected_ = std::min(selected_, int(rows_.size()) - 1);
  update();
}

void FrontPlot::select(int row) {
  selected_ = row;
  update();
}

QRectF FrontPlot::field() const {
  const double text = fontMetrics().height();
  return QRectF(rect()).adjusted(10, 4 + text, -10, -6 - text);
}

QPointF FrontPlot::at(double bytes, double mm) const {
  const QRectF inner = field();
  const double x = (std::log10(bytes) - lowBytes_) / (highBytes_ - lowBytes_);
  const double y = (std::log10(std::max(mm, kLeastMm)) - lowMm_) / (highMm_ - lowMm_);
  return {inner.left() + std::clamp(x, 0.0, 1.0) * inner.width(),
          inner.bottom() - std::clamp(y, 0.0, 1.0) * inner.height()};
}

QPointF FrontPlot::pointOf(int row) const {
  const FitRow& one = rows_[std::size_t(row)];
  return at(double(one.bytes), mmOf(one));
}

// The limits of an error as one at the vertices; 0 if there is none.
double FrontPlot::limitMm() const {
  double limit = limits_.error.vertexMm;
  if (limits_.error.pixels > 0.0 && !rows_.empty()) {
    const double perPixel = 1000.0 / pixelsPerMeter(rows_.front().error.view);
    const double own = limits_.error.pixels * perPixel;
    limit = limit > 0.0 ? std::min(limit, own) : own;
  }
  return limit;
}

void FrontPlot::paintLimits(QPainter& painter) const {
  const QRectF inner = field();
  painter.setPen(QPen(colors::kGood, 1, Qt::DashLine));
  const double mm = limitMm();
  if (mm > 0.0 && std::log10(mm) > lowMm_ && std::log10(mm) < highMm_) {
    const double y = at(1.0, mm).y();
    painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y));
  }
  const auto bytes = double(limits_.bytes);
  if (bytes > 0.0 && std::log10(bytes) > lowBytes_ && std::log10(bytes) < highBytes_) {
    const double x = at(bytes, 1.0).x();
    painter.drawLine(QPointF(x, inner.top()), QPointF(x, inner.bottom()));
  }
}

// The ends of both axes are enough to read the points by.
void FrontPlot::paintAxes(QPainter& painter) const {
  const auto [small, large] = std::ranges::minmax(rows_, {}, &FitRow::bytes);
  const auto [near, far] = std::ranges::minmax(rows_, {}, mmOf);
  const QRectF outer = QRectF(rect()).adjusted(10, 3, -10, -3);
  painter.setPen(colors::kMuted);
  painter.drawText(outer, Qt::AlignLeft | Qt::AlignTop,
                   tr("%1 mm").arg(figureText(figuresOf(far).vertices.max)));
  painter.drawText(
      outer, Qt::AlignLeft | Qt::AlignBottom,
      tr("%1 mm, %2").arg(figureText(figuresOf(near).vertices.max), sizeText(small.bytes)));
  painter.drawText(outer, Qt::AlignRight | Qt::AlignBottom, sizeText(large.bytes));
}

void FrontPlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors::kBase);
  painter.drawRoundedRect(QRectF(rect()), kRound, kRound);
  if (rows_.empty()) return;
  paintAxes(painter);
  paintLimits(painter);
  QPolygonF line;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].isFront) line << pointOf(int(i));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colors::kMuted, 1.5));
  painter.drawPolyline(line);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const QPointF point = pointOf(int(i));
    const bool isBest = best_ == i;
    const QColor color = isBest              ? colors::kGood
                         : rows_[i].isWithin ? colors::kText
                                             : colors::kMuted;
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(isBest ? color : colors::kBase);
    painter.drawEllipse(point, kRadius, kRadius);
    painter.setBrush(Qt::NoBrush);
    if (rows_[i].isKnee) {
      painter.setPen(QPen(colors::kWarning, 1.5));
      painter.drawEllipse(point, 2.0 * kRadius, 2.0 * kRadius);
      painter.drawText(point + QPointF(2.5 * kRadius, -kRadius), tr("knee"));
    }
    if (int(i) != selected_) continue;
    painter.setPen(QPen(colors::kFocus, 2.0));
    painter.drawEllipse(point, 1.5 * kRadius, 1.5 * kRadius);
  }
}

void FrontPlot::mousePressEvent(QMouseEvent* event) {
  constexpr double kNearPixels = 14.0;
  int nearest = -1;
  double least = kNearPixels;
  for (int row = 0; row < int(rows_.size()); ++row) {
    const QPointF off = pointOf(row) - event->position();
    const double distance = std::hypot(off.x(), off.y());
    if (distance >= least) continue;
    least = distance;
    nearest = row;
  }
  if (nearest >= 0) emit rowPicked(nearest);
}

}  // namespace ck::ui
