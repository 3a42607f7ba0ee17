#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>
#include <utility>

#include "core/base/assert.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// Lucide icons use "currentColor", which Qt's SVG icon engine renders as black.
class LucideEngine : public QIconEngine {
 public:
  LucideEngine(QByteArray svg, const QColor& color) : svg_(std::move(svg)), color_(color) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const QColor color = mode == QIcon::Disabled ? QColor(0x6d, 0x72, 0x78) : color_;
    QByteArray svg = svg_;
    svg.replace("currentColor", color.name().toLatin1());
    svg.replace("stroke-width=\"2\"", "stroke-width=\"1.75\"");
    QSvgRenderer(svg).render(painter, rect);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return picture;
  }

  QIconEngine* clone() const override { return new LucideEngine(*this); }

 private:
  QByteArray svg_;
  QColor color_;
};

}  // namespace

QIcon icon(const QString& name, const QColor& color) {
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  const bool known = file.open(QIODevice::ReadOnly);
  CK_ASSERT(known);
  return QIcon(new LucideEngine(file.readAll(), color));
}

}  // namespace ck::ui
