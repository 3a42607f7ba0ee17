#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/atlas/atlas_map.h"
#include "ui/atlas_view/atlas_canvas.h"
#include "ui/atlas_view/atlas_readout.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// Minimum pixels per texel for grid lines, and for numbers inside texels.
constexpr double kGridZoom = 9.0;
constexpr double kFigureZoom = 44.0;
constexpr int kFigureLines = 4;
constexpr double kLabelHeight = 15.0;

// Hues in steps of the golden angle, so that neighbouring clips differ most.
constexpr double kHueStep = 137.50776405003785;

}  // namespace

QColor clipColor(int clip) {
  const double hue = std::fmod(212.0 + clip * kHueStep, 360.0);
  return QColor::fromHslF(float(hue / 360.0), 0.72f, 0.66f);
}

QRectF AtlasCanvas::toWidget(double x, double y, double width, double height) const {
  return {fromTexels(QPointF(x, y)), fromTexels(QPointF(x + width, y + height))};
}

QRect AtlasCanvas::visibleTexels() const {
  const QPointF low = toTexels(QPointF(0, 0));
  const QPointF high = toTexels(QPointF(width(), height()));
  const QRect view(QPoint(int(std::floor(low.x())), int(std::floor(low.y()))),
                   QPoint(int(std::ceil(high.x())) - 1, int(std::ceil(high.y())) - 1));
  return view & QRect(0, 0, atlasWidth(*atlas_), atlasHeight(*atlas_));
}

// Below one pixel per texel, pixels are rendered; above, texels are. So at most as many as the view
// has pixels are computed.
void AtlasCanvas::convert() {
  const QRect texels = visibleTexels();
  pictureOf_ = QRectF(texels);
  const QPointF pixels = scale() * devicePixelRatioF();
  const QSize size(std::max(1, int(std::ceil(texels.width() * std::min(1.0, pixels.x())))),
                   std::max(1, int(std::ceil(texels.height() * std::min(1.0, pixels.y())))));
  picture_ = texels.isEmpty() ? QImage() : atlasPicture(*atlas_, look_, pictureOf_, size);
}

void AtlasCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::kBase);
  if (!atlas_) {
    painter.setPen(colors::kMuted);
    painter.drawText(rect().adjusted(8, 4, -8, -4), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Nothing is baked yet"));
  } else {
    if (picture_.isNull()) convert();
    const QRect texels = visibleTexels();
    if (!picture_.isNull()) {
      painter.drawImage(
          toWidget(pictureOf_.x(), pictureOf_.y(), pictureOf_.width(), pictureOf_.height()),
          picture_);
    }
    painter.setPen(QPen(QColor(255, 255, 255, 60), 1));
    painter.drawRect(toWidget(0, 0, atlasWidth(*atlas_), atlasHeight(*atlas_)));
    const double least = std::min(scale().x(), scale().y());
    if (least >= kGridZoom) paintGrid(painter, texels);
    if (least >= kFigureZoom) paintFigures(painter, texels);
    paintMarkers(painter);
    if (clipsShown_) paintClips(painter);
    paintCursor(painter);
  }
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors::kFocus, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void AtlasCanvas::paintGrid(QPainter& painter, const QRect& texels) const {
  const QRectF box = toWidget(texels.x(), texels.y(), texels.width(), texels.height());
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
      const QImage pixel = atlasPicture(*atlas_, look_, QRectF(x, y, 1, 1), QSize(1, 1));
      painter.setPen(qGray(pixel.pixel(0, 0)) > 120 ? QColor(0, 0, 0, 225)
                                                    : QColor(255, 255, 255, 225));
      const QRectF box = toWidget(x, y, 1, 1);
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
  small.setPixelSize(11);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  for (int clip = 0; clip < int(atlas_->clips.size()); ++clip) {
    const QColor color = clipColor(clip);
    const std::vector<TexelRect> rects = clipRects(*atlas_, clip);
    painter.setBrush(Qt::NoBrush);
    for (const TexelRect& part : rects) {
      const QRectF box = toWidget(part.x, part.y, part.width, part.height);
      if (!box.intersects(rect())) continue;
      painter.setPen(QPen(color, 1));
      painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
      painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), color);
    }
    // The name is at the clip's first visible rectangle, or next to an atlas that is narrower than
    // the name.
    const auto part = std::find_if(rects.begin(), rects.end(), [&](const TexelRect& r) {
      return toWidget(r.x, r.y, r.width, r.height).intersects(rect());
    });
    if (part == rects.end()) continue;
    const QRectF box = toWidget(part->x, part->y, part->width, part->height) & QRectF(rect());
    const AtlasClip& of = atlas_->clips[std::size_t(clip)];
    QString text =
        tr("%1  %2").arg(textOf(of.name), counted(of.frameCount, tr("frame"), tr("frames")));
    double wide = metrics.horizontalAdvance(text) + 12.0;
    double left = box.left() + 5.0;
    if (wide > box.width() - 8.0) {
      const bool last = part->x + part->width + atlas_->shape.extent.z > atlasWidth(*atlas_);
      const double beside = last ? rect().right() - box.right() - 8.0 : 0.0;
      const double most = std::max(beside, box.width() - 8.0);
      if (beside >= box.width() - 8.0) left = box.right() + 6.0;
      text = metrics.elidedText(text, Qt::ElideRight, most - 12.0);
      wide = std::min(wide, most);
    }
    const QRectF label(left, box.top() + std::min(2.0, std::max(0.0, box.height() - kLabelHeight)),
                       wide, kLabelHeight);
    const bool hidden = wide < 24.0 || std::any_of(labels.begin(), labels.end(), [&](auto& other) {
                          return other.intersects(label);
                        });
    if (hidden) continue;
    labels.push_back(label);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(18, 19, 21, 205));
    painter.drawRoundedRect(label, 3, 3);
    painter.setPen(color);
    painter.drawText(label, Qt::AlignCenter, text);
  }
  painter.setFont(font());
}

void AtlasCanvas::paintMarkers(QPainter& painter) const {
  for (const AtlasMarker& marker : markers_) {
    const QColor color = marker.actor ? colors::kWarning : QColor(Qt::white);
    const int frame = int(std::floor(marker.frame));
    const double between = marker.frame - frame;
    const bool line = atlas_->shape.extent.w == 1;
    for (const TexelRect& part : frameRects(*atlas_, frame, 1)) {
      QRectF box = toWidget(part.x, part.y + (line ? 0.0 : between), part.width, part.height);
      if (!box.intersects(rect())) continue;
      // At least two pixels, with a head that is visible in a large atlas.
      if (box.height() < 2.0) box.setHeight(2.0);
      if (box.width() < 2.0) box.setWidth(2.0);
      painter.setPen(Qt::NoPen);
      if (box.height() >= 6.0) {
        painter.setPen(QPen(color, 2));
        painter.setBrush(QColor(color.red(), color.green(), color.blue(), 40));
        painter.drawRect(box.adjusted(1, 1, -1, -1));
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
  QRectF box = toWidget(cursor_->x(), cursor_->y(), 1, 1);
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
