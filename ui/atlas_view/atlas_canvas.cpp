#include "ui/atlas_view/atlas_canvas.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/atlas/atlas_map.h"
#include "ui/atlas_view/atlas_readout.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

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

// Minimum pixels per texel for grid lines, and for numbers inside texels.
constexpr double kGridZoom = 9.0;
constexpr double kFigureZoom = 44.0;
constexpr int kFigureLines = 4;
constexpr double kLabelHeight = 15.0;
constexpr int kLabelPixels = 11;
constexpr double kClipFrame = 6.0;  // pixels; lower clips have no frame

// Hues in steps of the golden angle, so that neighbouring clips differ most.
constexpr double kHueStep = 137.50776405003785;

QRectF rectOf(const TexelRect& texels) {
  return {double(texels.x), double(texels.y), double(texels.width), double(texels.height)};
}

// The colour of a clip, by its index in the atlas.
QColor clipColor(int clip) {
  const double hue = std::fmod(212.0 + clip * kHueStep, 360.0);
  return QColor::fromHslF(float(hue / 360.0), 0.72f, 0.66f);
}

}  // namespace

AtlasCanvas::AtlasCanvas(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Atlas"));
  nameForReaders();
}

void AtlasCanvas::setAtlas(AtlasPtr atlas) {
  const QRect before = allTexels();
  atlas_ = std::move(atlas);
  image_ = {};
  markers_.clear();
  if (!atlas_ || allTexels() != before) {
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
  image_ = {};
  update();
}

void AtlasCanvas::setMarkers(std::vector<AtlasMarker> markers) {
  if (markers == markers_) return;
  markers_ = std::move(markers);
  update();
}

void AtlasCanvas::setClipsVisible(bool shown) {
  clipsVisible_ = shown;
  update();
}

// The scale at which the whole atlas is visible.
QPointF AtlasCanvas::wholeScale() const {
  if (!atlas_) return {1.0, 1.0};
  const double across =
      std::clamp((width() - 2 * kMargin) / atlasWidth(*atlas_), 1e-4, kLargestZoom);
  const double down =
      std::clamp((height() - 2 * kMargin) / atlasHeight(*atlas_), 1e-4, kLargestZoom);
  if (atlas_->recipe.layout == LayoutKind::Rows) return {across, down};
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

QRect AtlasCanvas::allTexels() const {
  return atlas_ ? QRect(0, 0, atlasWidth(*atlas_), atlasHeight(*atlas_)) : QRect();
}

std::optional<QPoint> AtlasCanvas::texelAt(const QPointF& widget) const {
  const QPointF texel = toTexels(widget);
  const QPoint under(int(std::floor(texel.x())), int(std::floor(texel.y())));
  return allTexels().contains(under) ? std::optional(under) : std::nullopt;
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
  image_ = {};
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
  if (!cursorKept_) moveCursor(texelAt(at));
}

void AtlasCanvas::mouseReleaseEvent(QMouseEvent* event) {
  unsetCursor();
  const bool clicked = !dragging_ && event->button() == Qt::LeftButton;
  dragging_ = false;
  if (!clicked) return;
  // A click pins the texel; a click on the pinned texel or outside unpins it.
  const std::optional<QPoint> under = texelAt(event->position());
  cursorKept_ = under && !(cursorKept_ && cursor_ == under);
  moveCursor(under);
  update();
}

void AtlasCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && atlas_) emit doubleClicked();
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

QRectF AtlasCanvas::toWidget(const QRectF& texels) const {
  return {fromTexels(texels.topLeft()), fromTexels(texels.bottomRight())};
}

QRect AtlasCanvas::visibleTexels() const {
  const QPointF low = toTexels(QPointF(0, 0));
  const QPointF high = toTexels(QPointF(width(), height()));
  const QRect view(QPoint(int(std::floor(low.x())), int(std::floor(low.y()))),
                   QPoint(int(std::ceil(high.x())) - 1, int(std::ceil(high.y())) - 1));
  return view & allTexels();
}

// Below one pixel per texel, pixels are rendered; above, texels are. So at most as many as the view
// has pixels are computed.
void AtlasCanvas::convert() {
  const QRect texels = visibleTexels();
  imageOf_ = QRectF(texels);
  const QPointF pixels = scale() * devicePixelRatioF();
  const QSize size(std::max(1, int(std::ceil(texels.width() * std::min(1.0, pixels.x())))),
                   std::max(1, int(std::ceil(texels.height() * std::min(1.0, pixels.y())))));
  image_ = texels.isEmpty() ? QImage() : atlasImage(*atlas_, look_, imageOf_, size);
}

void AtlasCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::kBase);
  if (!atlas_) {
    painter.setPen(colors::kMuted);
    painter.drawText(rect().adjusted(8, 4, -8, -4), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Nothing is baked yet"));
  } else {
    if (image_.isNull()) convert();
    const QRect texels = visibleTexels();
    if (!image_.isNull()) {
      painter.drawImage(toWidget(imageOf_), image_);
    }
    painter.setPen(QPen(QColor(255, 255, 255, 60), 1));
    painter.drawRect(toWidget(allTexels()));
    const double least = std::min(scale().x(), scale().y());
    if (least >= kGridZoom) paintGrid(painter, texels);
    // Below the numbers, which it would cover.
    paintMarkers(painter);
    if (least >= kFigureZoom) paintFigures(painter, texels);
    if (clipsVisible_) paintClips(painter);
    paintCursor(painter);
  }
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors::kFocus, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void AtlasCanvas::paintGrid(QPainter& painter, const QRect& texels) const {
  const QRectF box = toWidget(texels);
  painter.setRenderHint(QPainter::Antialiasing, false);
  const int perJoint = atlas_->shape.block.x;
  const int across = std::max(1, atlas_->shape.extent.z);
  for (int x = texels.left(); x <= texels.right() + 1; ++x) {
    const double at = fromTexels(QPointF(x, 0)).x();
    // Lines at the start of a joint are stronger. In the linear layout a row may start anywhere.
    const bool joint = atlas_->shape.extent.w == 0 && (x % across) % perJoint == 0;
    painter.setPen(QPen(joint ? QColor(0, 0, 0, 190) : QColor(0, 0, 0, 80), 1));
    painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()));
  }
  painter.setPen(QPen(QColor(0, 0, 0, 80), 1));
  for (int y = texels.top(); y <= texels.bottom() + 1; ++y) {
    const double at = fromTexels(QPointF(0, y)).y();
    painter.drawLine(QPointF(box.left(), at), QPointF(box.right(), at));
  }
}

void AtlasCanvas::paintFigures(QPainter& painter, const QRect& texels) const {
  QFont small = font();
  small.setPixelSize(std::clamp(int(scale().y() / 5.5), 8, 13));
  painter.setFont(small);
  const double line = scale().y() / kFigureLines;
  for (int y = texels.top(); y <= texels.bottom(); ++y) {
    for (int x = texels.left(); x <= texels.right(); ++x) {
      const QImage pixel = atlasImage(*atlas_, look_, QRectF(x, y, 1, 1), QSize(1, 1));
      painter.setPen(qGray(pixel.pixel(0, 0)) > 120 ? QColor(0, 0, 0, 225)
                                                    : QColor(255, 255, 255, 225));
      const QRectF box = toWidget(QRectF(x, y, 1, 1));
      const QStringList figures = texelFigures(*atlas_, {x, y});
      for (int i = 0; i < figures.size(); ++i) {
        painter.drawText(QRectF(box.left(), box.top() + i * line, box.width(), line),
                         Qt::AlignCenter, figures[i]);
      }
    }
  }
  painter.setFont(font());
}

void AtlasCanvas::paintClips(QPainter& painter) const {
  std::vector<QRectF> labels;
  QFont small = font();
  small.setPixelSize(kLabelPixels);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  for (int clip = 0; clip < int(atlas_->clips.size()); ++clip) {
    const QColor color = clipColor(clip);
    const std::vector<TexelRect> rects = clipRects(*atlas_, clip);
    const TexelRect* part = nullptr;  // the first visible one
    painter.setBrush(Qt::NoBrush);
    for (const TexelRect& each : rects) {
      const QRectF box = toWidget(rectOf(each));
      if (!box.intersects(rect())) continue;
      if (!part) part = &each;
      // Lines closer than this would cover the texels.
      if (box.height() >= kClipFrame) {
        painter.setPen(QPen(color, 1));
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
      }
      painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), color);
    }
    if (!part) continue;
    const AtlasClip& of = atlas_->clips[std::size_t(clip)];
    const QString name = nameText(of.name);
    const QString frames = counted(of.frameCount, tr("frame"), tr("frames"));
    for (const QString& text : {tr("%1  %2").arg(name, frames), name}) {
      const QRectF label = labelPlace(*part, metrics.horizontalAdvance(text) + 12.0);
      const bool free = !label.isNull() &&
                        std::none_of(labels.begin(), labels.end(),
                                     [&](const QRectF& other) { return other.intersects(label); });
      if (!free) continue;
      labels.push_back(label);
      painter.setPen(Qt::NoPen);
      painter.setBrush(QColor(18, 19, 21, 205));
      painter.drawRoundedRect(label, 3, 3);
      painter.setPen(color);
      painter.drawText(label, Qt::AlignCenter, text);
      break;
    }
  }
  painter.setFont(font());
}

// Where a clip's label of this width goes: inside its rectangle, or beside an atlas that is
// narrower than the label. Null if it fits nowhere: part of a name says nothing.
QRectF AtlasCanvas::labelPlace(const TexelRect& part, double wide) const {
  const QRectF box = toWidget(rectOf(part)) & QRectF(rect());
  if (box.height() < kLabelHeight) return {};
  const double top = box.top() + std::min(2.0, box.height() - kLabelHeight);
  if (wide <= box.width() - 8.0) return {box.left() + 5.0, top, wide, kLabelHeight};
  const bool last = part.x + part.width + atlas_->shape.extent.z > atlasWidth(*atlas_);
  if (!last || wide > rect().right() - box.right() - 8.0) return {};
  return {box.right() + 6.0, top, wide, kLabelHeight};
}

void AtlasCanvas::paintMarkers(QPainter& painter) const {
  for (const AtlasMarker& marker : markers_) {
    const QColor color = marker.actor ? colors::kWarning : QColor(Qt::white);
    const int frame = int(std::floor(marker.frame));
    const double between = marker.frame - frame;
    const bool line = atlas_->shape.extent.w == 1;
    for (const TexelRect& part : frameRects(*atlas_, frame, 1)) {
      QRectF box = toWidget(rectOf(part).translated(0.0, line ? 0.0 : between));
      if (!box.intersects(rect())) continue;
      // Large enough to see in a large atlas.
      const double least = marker.actor ? 5.0 : 2.0;
      if (box.height() < least)
        box.adjust(0, 0.5 * (box.height() - least), 0, 0.5 * (least - box.height()));
      if (box.width() < least) box.setWidth(least);
      painter.setBrush(Qt::NoBrush);
      if (marker.actor || box.height() >= 6.0) {
        // An outline: the texels are what the artist looks for.
        painter.setPen(QPen(QColor(0, 0, 0, 150), 3));
        painter.drawRect(box);
        painter.setPen(QPen(color, 1));
        painter.drawRect(box);
      } else {
        painter.fillRect(box.adjusted(-1, -1, 1, 1), QColor(0, 0, 0, 150));
        painter.fillRect(box, color);
      }
      QPainterPath head;
      const double y = box.center().y();
      head.addPolygon(QPolygonF({QPointF(box.left() + 1, y), QPointF(box.left() - 6, y - 5),
                                 QPointF(box.left() - 6, y + 5)}));
      painter.setPen(Qt::NoPen);
      painter.fillPath(head, color);
    }
  }
}

void AtlasCanvas::paintCursor(QPainter& painter) const {
  if (!cursor_) return;
  QRectF box = toWidget(QRectF(*cursor_, QSizeF(1, 1)));
  // A frame around a texel that is too small to see.
  const double across = std::max(0.0, (7.0 - box.width()) / 2.0);
  const double down = std::max(0.0, (7.0 - box.height()) / 2.0);
  box.adjust(-across, -down, across, down);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::black, 3));
  painter.drawRect(box);
  painter.setPen(QPen(cursorKept_ ? colors::kFocus : QColor(Qt::white), 1));
  painter.drawRect(box);
}

}  // namespace ck::ui
