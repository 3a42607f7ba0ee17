#pragma once

#include <QList>

class QAction;
class QMenu;

namespace ck::ui {

class ActionTable;
class Document;
class Playback;
class Selection;
class ViewportWidget;

// Fills a menu with what the left mouse button does in the viewport: select, move, rotate or scale
// actors (Q, W, E, R) and which way the axes point (X), and returns the four. Whenever no other
// tool has the viewport, the gizmo has it. All arguments must outlive the menu.
QList<QAction*> addTools(ActionTable& actions, QMenu& menu, Document& document,
                         const Playback& playback, Selection& selection, ViewportWidget& viewport);

}  // namespace ck::ui
