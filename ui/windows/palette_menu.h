#pragma once

class QMenu;
class QWidget;

namespace ck::ui {

class Document;

// How the methods palette and live hand matrices and influences to the vertex shader. Choices that
// this driver does not have draw as the others do.
QMenu* makePaletteMenu(Document& document, QWidget* parent);

}  // namespace ck::ui
