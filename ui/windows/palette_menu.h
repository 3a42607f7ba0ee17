#pragma once

class QMenu;
class QWidget;

namespace ck::ui {

class Document;
class ViewportWidget;

// How the methods palette and live hand matrices and influences to the vertex shader. Choices that
// the context of the viewport does not have are greyed and say why.
QMenu* makePaletteMenu(Document& document, const ViewportWidget& viewport, QWidget* parent);

}  // namespace ck::ui
