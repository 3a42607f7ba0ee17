#include "ui/viewport/wipe_handle.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/document/document.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kGripRadius = 13.0;
// The line stays this far from the edges, where the pointer still reaches it.
constexpr double kEdgePixels = 4.0;

}  // namespace

WipeHandle::WipeHandle(Document& document, const QWidget& view) : document_(document), view_(view) {
  connect(&document, &Document::replaced, this, [this] { dragged_ = false; });
}

void WipeHandle::setShown(bool shown) {
  if (shown == shown_) return;
  shown_ = shown;
  dragged_ = false;
  hover(false);
  emit changed();
}

double WipeHandle::x() const {
  return document_.project().view.wipe * view_.width();
}

bool WipeHandle::isAt(const QMouseEvent& event) const {
  return shown_ && std::abs(event.position().x() - x()) <= kReachPixels;
}

void WipeHandle::set(double wipe) {
  document_.edit(
      {}, [wipe](Project& project) { project.view.wipe = wipe; }, QStringLiteral("view/wipe"));
  emit changed();
}

void WipeHandle::hover(bool over) {
  if (over == over_) return;
  over_ = over;
  emit changed();
}

bool WipeHandle::press(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || !isAt(event)) return false;
  before_ = document_.project().view.wipe;
  grabbed_ = event.position().x() - x();
  dragged_ = true;
  document_.endMerge();
  emit changed();
  return true;
}

bool WipeHandle::move(const QMouseEvent& event) {
  if (!dragged_) {
    hover(event.buttons() == Qt::NoButton && isAt(event));
    return false;
  }
  const double width = std::max(1, view_.width());
  const double edge = std::min(0.5, kEdgePixels / width);
  set(std::clamp((event.position().x() - grabbed_) / width, edge, 1.0 - edge));
  return true;
}

bool WipeHandle::release(const QMouseEvent& event) {
  return event.button() == Qt::LeftButton && end();
}

bool WipeHandle::end() {
  if (!std::exchange(dragged_, false)) return false;
  document_.endMerge();
  emit changed();
  return true;
}

bool WipeHandle::doubleClick(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || !isAt(event)) return false;
  dragged_ = false;
  set(ViewSettings().wipe);
  document_.endMerge();
  hover(isAt(event));
  return true;
}

bool WipeHandle::cancel() {
  if (!std::exchange(dragged_, false)) return false;
  set(before_);
  document_.endMerge();
  return true;
}

void WipeHandle::paint(QPainter& painter) const {
  if (!shown_) return;
  const bool strong = over_ || dragged_;
  const double at = std::round(x());
  const double middle = std::round(view_.height() * 0.5);
  painter.setPen(QPen(QColor(12, 13, 15, 150), strong ? 5.0 : 4.0));
  painter.drawLine(QPointF(at, 0.0), QPointF(at, view_.height()));
  const QColor line = strong ? colors::kFocus : QColor(0xe6, 0xe8, 0xeb);
  painter.setPen(QPen(line, strong ? 2.0 : 1.5));
  painter.drawLine(QPointF(at, 0.0), QPointF(at, view_.height()));
  painter.setBrush(QColor(18, 19, 21, 225));
  painter.drawEllipse(QPointF(at, middle), kGripRadius, kGripRadius);
  // An arrow to each side.
  painter.setPen(Qt::NoPen);
  painter.setBrush(line);
  for (const double side : {-1.0, 1.0}) {
    QPainterPath arrow(QPointF(at + side * 8.5, middle));
    arrow.lineTo(at + side * 3.0, middle - 4.5);
    arrow.lineTo(at + side * 3.0, middle + 4.5);
    arrow.closeSubpath();
    painter.drawPath(arrow);
  }
}

}  // namespace ck::ui
