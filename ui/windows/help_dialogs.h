#pragma once

#include <QList>

class QAction;
class QWidget;

namespace ck::ui {

// Both are shown without blocking the window and delete themselves.
void showAbout(QWidget& window);
// The mouse in the viewport and every action that has a key.
void showCheatSheet(QWidget& window, const QList<QAction*>& actions);

}  // namespace ck::ui
