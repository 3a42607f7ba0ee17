#include "ui/theme/theme.h"
#include "core/base/assert.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <utility>

// Resources of a static library must be registered by a call outside any namespace.
static void registerResources() {
  Q_INIT_RESOURCE(resources);
}

namespace ck::ui {
namespace {

QPalette darkPalette() {
  QPalette palette;
  palette.setColor(QPalette::Window, colors::kWindow);
  palette.setColor(QPalette::WindowText, colors::kText);
  palette.setColor(QPalette::Base, colors::kBase);
  palette.setColor(QPalette::AlternateBase, QColor(0x22, 0x24, 0x28));
  palette.setColor(QPalette::Text, colors::kText);
  palette.setColor(QPalette::PlaceholderText, QColor(0x96, 0x9c, 0xa3));
  palette.setColor(QPalette::Button, QColor(0x3a, 0x3e, 0x44));
  palette.setColor(QPalette::ButtonText, colors::kText);
  palette.setColor(QPalette::BrightText, Qt::white);
  palette.setColor(QPalette::ToolTipBase, QColor(0x34, 0x38, 0x3d));
  palette.setColor(QPalette::ToolTipText, colors::kText);
  palette.setColor(QPalette::Highlight, colors::kAccent);
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, colors::kFocus);
  palette.setColor(QPalette::LinkVisited, colors::kFocus);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, QColor(0x83, 0x88, 0x8f));
  }
  return palette;
}

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

void applyTheme(QApplication& app) {
  registerResources();
  for (const char* face : {"Regular", "Medium", "SemiBold"}) {
    QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/Inter-%1.otf").arg(face));
  }
  QFont font(QStringLiteral("Inter"));
  font.setPointSizeF(9.0);
  font.setHintingPreference(QFont::PreferNoHinting);
  app.setFont(font);
  app.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  app.setPalette(darkPalette());
  QFile sheet(QStringLiteral(":/style/dark.qss"));
  if (sheet.open(QIODevice::ReadOnly)) app.setStyleSheet(QString::fromUtf8(sheet.readAll()));
}

QIcon icon(const QString& name, const QColor& color) {
  // Lists ask for theirs with every cell that they draw, and the log keeps one for every line.
  static QHash<std::pair<QString, QRgb>, QIcon> kept;
  QIcon& one = kept[{name, color.rgba()}];
  if (!one.isNull()) return one;
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  const bool known = file.open(QIODevice::ReadOnly);
  CK_ASSERT(known);
  one = QIcon(new LucideEngine(file.readAll(), color));
  return one;
}

}  // namespace ck::ui
