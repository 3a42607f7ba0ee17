#include "ui/windows/palette_menu.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

QString translated(const char* text) {
  return QCoreApplication::translate("PaletteMenu", text);
}

}  // namespace

QMenu* makePaletteMenu(ViewportWidget& viewport, QWidget* parent) {
  auto* menu = new QMenu(translated(QT_TRANSLATE_NOOP("PaletteMenu", "&Palette is read")), parent);
  menu->setToolTipsVisible(true);
  auto* ways = new QActionGroup(menu);
  const auto add = [&](const char* text, const char* tip, render::PaletteRead read) {
    QAction* action = menu->addAction(translated(text));
    action->setToolTip(translated(tip));
    action->setCheckable(true);
    action->setChecked(read == viewport.paletteRead());
    ways->addAction(action);
    QObject::connect(action, &QAction::triggered, &viewport,
                     [&viewport, read] { viewport.setPaletteRead(read); });
  };
  add(QT_TRANSLATE_NOOP("PaletteMenu", "&As is faster here"),
      QT_TRANSLATE_NOOP("PaletteMenu", "As was measured when the view was made; the log says how"),
      render::PaletteRead::Auto);
  add(QT_TRANSLATE_NOOP("PaletteMenu", "Through a &texture buffer"),
      QT_TRANSLATE_NOOP("PaletteMenu", "Methods palette and live, OpenGL 3.3"),
      render::PaletteRead::TextureBuffer);
  add(QT_TRANSLATE_NOOP("PaletteMenu", "From a &storage buffer"),
      QT_TRANSLATE_NOOP("PaletteMenu", "Methods palette and live, OpenGL 4.3"),
      render::PaletteRead::StorageBuffer);
  menu->addSeparator();
  QAction* packed =
      menu->addAction(translated(QT_TRANSLATE_NOOP("PaletteMenu", "&Packed influences")));
  packed->setToolTip(translated(
      QT_TRANSLATE_NOOP("PaletteMenu",
                        "Method live: joint and half of the weight in one float; the log says what "
                        "weights lose")));
  packed->setCheckable(true);
  QObject::connect(packed, &QAction::toggled, &viewport, &ViewportWidget::setPackedInfluences);
  return menu;
}

}  // namespace ck::ui
