#include "ui/windows/palette_menu.h"

#include <QCoreApplication>

#include "core/project/project.h"
#include "render/methods/palette/palette_read.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/choice_menu.h"

namespace ck::ui {
namespace {

QString translated(const char* text) {
  return QCoreApplication::translate("PaletteMenu", text);
}

}  // namespace

QMenu* makePaletteMenu(Document& document, const ViewportWidget& viewport, QWidget* parent) {
  const auto entry = [](const char* text, const char* tip, PaletteRead read) {
    return ChoiceMenu::Entry{translated(text), int(read), translated(tip)};
  };
  const QList<ChoiceMenu::Entry> entries = {
      entry(QT_TRANSLATE_NOOP("PaletteMenu", "&As is faster here"),
            QT_TRANSLATE_NOOP("PaletteMenu",
                              "As was measured when the view was made; the log says how"),
            PaletteRead::Auto),
      entry(QT_TRANSLATE_NOOP("PaletteMenu", "Through a &texture buffer"),
            QT_TRANSLATE_NOOP("PaletteMenu", "Methods palette and live, OpenGL 3.3"),
            PaletteRead::TextureBuffer),
      entry(QT_TRANSLATE_NOOP("PaletteMenu", "From a &storage buffer"),
            QT_TRANSLATE_NOOP("PaletteMenu", "Methods palette and live, OpenGL 4.3"),
            PaletteRead::StorageBuffer)};
  const QString title = translated(QT_TRANSLATE_NOOP("PaletteMenu", "&Palette is read"));
  const QString undoText = translated(QT_TRANSLATE_NOOP("PaletteMenu", "Reading of the palette"));
  auto* menu =
      new ChoiceMenu(title, document, entries,
                     {undoText, [](const Project& p) { return int(p.view.paletteRead); },
                      [](Project& p, int read) { p.view.paletteRead = PaletteRead(read); }},
                     parent);
  QObject::connect(&viewport, &ViewportWidget::ready, menu, [menu, &viewport] {
    if (viewport.renderer() == nullptr) return;
    constexpr PaletteRead kStorage = PaletteRead::StorageBuffer;
    menu->offer(int(kStorage),
                sentenceOf(render::whyNotRead(kStorage, viewport.renderer()->facts())));
  });
  menu->addSeparator();
  const QString packing = translated(QT_TRANSLATE_NOOP("PaletteMenu", "&Packed influences"));
  QAction* packed = menu->addAction(packing);
  packed->setToolTip(translated(
      QT_TRANSLATE_NOOP("PaletteMenu",
                        "Method live: joint and half of the weight in one float; the log says what "
                        "weights lose")));
  packed->setCheckable(true);
  bindTruth(
      *packed, document, translated(QT_TRANSLATE_NOOP("PaletteMenu", "Packed influences")),
      [](const Project& p) { return p.view.packedInfluences; },
      [](Project& p, bool on) { p.view.packedInfluences = on; });
  return menu;
}

}  // namespace ck::ui
