#pragma once

class QMenu;
class QWidget;

namespace ck::ui {

class ViewportWidget;

// How the methods palette and live hand matrices and influences to the vertex shader: to compare,
// not part of the project. Choices that this driver does not have draw as the others do.
QMenu* makePaletteMenu(ViewportWidget& viewport, QWidget* parent);

}  // namespace ck::ui
