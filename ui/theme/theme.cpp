#include "ui/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPalette>
#include <QStyleFactory>

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

}  // namespace ck::ui
