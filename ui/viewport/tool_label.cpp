#include "ui/viewport/tool_label.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kAcross = 18.0;  // from the place to the label
constexpr double kDown = 14.0;
constexpr double kBorder = 6.0;  // from the label to the border of the view

}  // namespace

void paintLabel(QPainter& painter, const QSizeF& view, const QPointF& beside, const QString& text,
                const QFont& font, const QColor& ink) {
  const QFontMetricsF metrics(font);
  const QSizeF size(std::ceil(metrics.horizontalAdvance(text)) + 18.0,
                    std::ceil(metrics.height()) + 10.0);
  const double ratio = painter.device()->devicePixelRatioF();
  QImage label((size * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  label.setDevicePixelRatio(ratio);
  label.fill(Qt::transparent);
  QPainter inside(&label);
  inside.setRenderHint(QPainter::Antialiasing);
  inside.setFont(font);
  QColor ground = colors::kBase;
  ground.setAlpha(230);
  inside.setPen(Qt::NoPen);
  inside.setBrush(ground);
  const QRectF box(QPointF(0.0, 0.0), size);
  inside.drawRoundedRect(box, 4.0, 4.0);
  inside.setPen(ink);
  inside.drawText(box, Qt::AlignCenter, text);
  inside.end();
  // On whole pixels, so that the text stays sharp.
  const auto whole = [ratio](double place) { return std::round(place * ratio) / ratio; };
  const QPointF at(std::min(beside.x() + kAcross, view.width() - size.width() - kBorder),
                   std::min(beside.y() + kDown, view.height() - size.height() - kBorder));
  painter.drawImage(QPointF(whole(at.x()), whole(at.y())), label);
}

}  // namespace ck::ui
