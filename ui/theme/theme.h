#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QApplication;

namespace ck::ui {

// Colours for code. Other colours are in the style sheet (resources/style/dark.qss).
namespace colors {
inline const QColor kWindow(0x26, 0x28, 0x2c);
inline const QColor kBase(0x1b, 0x1c, 0x1f);
inline const QColor kText(0xe6, 0xe8, 0xeb);
inline const QColor kMuted(0xa4, 0xaa, 0xb1);
inline const QColor kAccent(0x25, 0x68, 0xb0);
inline const QColor kFocus(0x6d, 0xb3, 0xff);
inline const QColor kGood(0x7e, 0xd8, 0x8f);
inline const QColor kWarning(0xff, 0xc8, 0x57);
inline const QColor kError(0xff, 0x7b, 0x72);
}  // namespace colors

// Applies the Fusion style with a dark palette, the style sheet and the bundled Inter font. Called
// once, before any widget is created.
void applyTheme(QApplication& app);

// A bundled Lucide icon, e.g. "play" for resources/icons/play.svg. It is sharp at any size and grey
// when disabled. An unknown name fails an assertion.
QIcon icon(const QString& name, const QColor& color = colors::kText);

}  // namespace ck::ui
