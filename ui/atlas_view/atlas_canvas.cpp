#include "ui/atlas_view/atlas_canvas.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/atlas_view/atlas_readout.h"

namespace ck::ui {
namespace {

constexpr double kLargestZoom = 128.0;
constexpr double kKeyZoom = 1.4142135623730951;
constexpr double kWheelZoom = 1.25;  // per wheel notch
// A press that moves less than this distance is a click.
constexpr double kClickPixels = 4.0;
constexpr double kMargin = 6.0;
// Shift moves the cursor by this number of texels.
constexpr int kBigStep = 8;

}  // namespace

AtlasCanvas::AtlasCanvas(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Atlas"));
  nameForReaders();
}

void AtlasCanvas::setAtlas(AtlasPtr atlas) {
  const bool sameSize = atlas && atlas_ && atlasWidth(*atlas) == atlasWidth(*atlas_) &&
                        atlasHeight(*atlas) == atlasHeight(*atlas_);
  atlas_ = std::move(atlas);
  picture_ = {};
  markers_.clear();
  if (!sameSize) {
    cursorKept_ = false;
    cursor_.reset();
    showAll();
  }
  nameForReaders();
  emit cursorMoved();
  update();
}

void AtlasCanvas::setLook(const AtlasLook& look) {
  if (look == look_) return;
  look_ = look;
  picture_ = {};
  update();
}

void AtlasCanvas::setMarkers(std::vector<AtlasMarker> markers) {
  if (markers == markers_) return;
  markers_ = std::move(markers);
  update();
}

void AtlasCanvas::setClipsShown(bool shown) {
  clipsShown_ = shown;
  update();
}

// The scale at which the whole atlas is visible.
QPointF AtlasCanvas::wholeScale() const {
  if (!atlas_) return {1.0, 1.0};
  const double across =
      std::clamp((width() - 2 * kMargin) / atlasWidth(*atlas_), 1e-4, kLargestZoom);
  const double down =
      std::clamp((height() - 2 * kMargin) / atlasHeight(*atlas_), 1e-4, kLargestZoom);
  if (atlas_->layout == LayoutKind::Rows) return {across, down};
  return {std::min(across, down), std::min(across, down)};
}

double AtlasCanvas::smallestZoom() const {
  return std::min(wholeScale().x(), wholeScale().y());
}

QPointF AtlasCanvas::scale() const {
  const QPointF whole = wholeScale();
  return {std::max(whole.x(), zoom_), std::max(whole.y(), zoom_)};
}

QPointF AtlasCanvas::toTexels(const QPointF& widget) const {
  const QPointF s = scale();
  return corner_ + QPointF(widget.x() / s.x(), widget.y() / s.y());
}

QPointF AtlasCanvas::fromTexels(const QPointF& texels) const {
  const QPointF s = scale();
  return {(texels.x() - corner_.x()) * s.x(), (texels.y() - corner_.y()) * s.y()};
}

bool AtlasCanvas::inside(const QPoint& texel) const {
  return atlas_ && texel.x() >= 0 && texel.y() >= 0 && texel.x() < atlasWidth(*atlas_) &&
         texel.y() < atlasHeight(*atlas_);
}

void AtlasCanvas::showAll() {
  zoom_ = smallestZoom();
  corner_ = {};
  keepInReach();
  whole_ = true;
}

void AtlasCanvas::zoomAbout(const QPointF& at, double factor) {
  if (!atlas_) return;
  const QPointF texel = toTexels(at);
  zoom_ = std::clamp(zoom_ * factor, smallestZoom(), kLargestZoom);
  const QPointF s = scale();
  corner_ = texel - QPointF(at.x() / s.x(), at.y() / s.y());
  keepInReach();
  whole_ = zoom_ <= smallestZoom();
}

// An axis that is completely visible is not moved. Otherwise the atlas's edges stay outside the
// view's centre.
void AtlasCanvas::keepInReach() {
  picture_ = {};
  update();
  if (!atlas_) return;
  const QPointF s = scale();
  const auto kept = [](double corner, double pixels, double perTexel, int texels) {
    const double view = pixels / perTexel;
    const double margin = kMargin / perTexel;
    if (texels + 2 * margin <= view * 1.0000001) return -margin;
    return std::clamp(corner, -0.5 * view, texels - 0.5 * view);
  };
  corner_ = {kept(corner_.x(), width(), s.x(), atlasWidth(*atlas_)),
             kept(corner_.y(), height(), s.y(), atlasHeight(*atlas_))};
}

void AtlasCanvas::setCursorTexel(const QPoint& texel) {
  if (!atlas_) return;
  const QPoint kept(std::clamp(texel.x(), 0, atlasWidth(*atlas_) - 1),
                    std::clamp(texel.y(), 0, atlasHeight(*atlas_) - 1));
  cursorKept_ = true;
  moveCursor(kept);
  const QPointF low = fromTexels(kept);
  const QPointF high = fromTexels(kept + QPoint(1, 1));
  QPointF shift;
  if (low.x() < 0) shift.setX(low.x());
  if (high.x() > width()) shift.setX(high.x() - width());
  if (low.y() < 0) shift.setY(low.y());
  if (high.y() > height()) shift.setY(high.y() - height());
  if (shift.isNull()) return;
  whole_ = false;
  corner_ += QPointF(shift.x() / scale().x(), shift.y() / scale().y());
  keepInReach();
}

void AtlasCanvas::moveCursor(std::optional<QPoint> texel) {
  if (texel == cursor_) return;
  cursor_ = texel;
  nameForReaders();
  emit cursorMoved();
  update();
}

void AtlasCanvas::nameForReaders() {
  QString text = tr("No atlas");
  if (atlas_) {
    text = tr("%1 by %2 texels").arg(atlasWidth(*atlas_)).arg(atlasHeight(*atlas_));
    if (cursor_) {
      const AtlasReadout readout = atlasReadout(*atlas_, *cursor_);
      text = QStringLiteral("%1. %2. %3").arg(readout.where, readout.value, readout.raw);
    }
  }
  setAccessibleDescription(text);
  if (hasFocus()) {
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
  }
}

void AtlasCanvas::resizeEvent(QResizeEvent*) {
  if (whole_) return showAll();
  keepInReach();
}

void AtlasCanvas::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  zoomAbout(event->position(), std::pow(kWheelZoom, notches));
  event->accept();
}

void AtlasCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  pressedAt_ = event->position();
  draggedTo_ = event->position();
  dragging_ = false;
}

void AtlasCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton) && atlas_) {
    if (!dragging_ && QLineF(at, pressedAt_).length() < kClickPixels) return;
    dragging_ = true;
    whole_ = false;
    setCursor(Qt::ClosedHandCursor);
    corner_ -= toTexels(at) - toTexels(draggedTo_);
    draggedTo_ = at;
    keepInReach();
    return;
  }
  if (cursorKept_) return;
  const QPointF texel = toTexels(at);
  const QPoint under(int(std::floor(texel.x())), int(std::floor(texel.y())));
  moveCursor(inside(under) ? std::optional(under) : std::nullopt);
}

void AtlasCanvas::mouseReleaseEvent(QMouseEvent* event) {
  unsetCursor();
  const bool clicked = !dragging_ && event->button() == Qt::LeftButton;
  dragging_ = false;
  if (!clicked) return;
  // A click pins the texel; a click on the pinned texel or outside unpins it.
  const QPointF texel = toTexels(event->position());
  const QPoint under(int(std::floor(texel.x())), int(std::floor(texel.y())));
  const bool same = cursorKept_ && cursor_ == std::optional(under);
  cursorKept_ = inside(under) && !same;
  moveCursor(inside(under) ? std::optional(under) : std::nullopt);
  update();
}

void AtlasCanvas::leaveEvent(QEvent*) {
  if (!cursorKept_) moveCursor(std::nullopt);
}

void AtlasCanvas::keyPressEvent(QKeyEvent* event) {
  if (!atlas_) return QWidget::keyPressEvent(event);
  const int step = event->modifiers() & Qt::ShiftModifier ? kBigStep : 1;
  const QPointF middle = toTexels(QPointF(rect().center()));
  const QPoint from = cursor_.value_or(QPoint(int(middle.x()), int(middle.y())));
  const QPointF about =
      cursor_ ? fromTexels(QPointF(*cursor_) + QPointF(0.5, 0.5)) : QPointF(rect().center());
  switch (event->key()) {
    case Qt::Key_Left:
      return setCursorTexel(from - QPoint(step, 0));
    case Qt::Key_Right:
      return setCursorTexel(from + QPoint(step, 0));
    case Qt::Key_Up:
      return setCursorTexel(from - QPoint(0, step));
    case Qt::Key_Down:
      return setCursorTexel(from + QPoint(0, step));
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoomAbout(about, kKeyZoom);
    case Qt::Key_Minus:
      return zoomAbout(about, 1.0 / kKeyZoom);
    case Qt::Key_F:
    case Qt::Key_Home:
      return showAll();
    case Qt::Key_Escape:
      cursorKept_ = false;
      return moveCursor(std::nullopt);
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace ck::ui
