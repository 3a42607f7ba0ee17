#pragma once

#include <QList>

class QAction;
class QWidget;

namespace ck::ui {

// Both are non-modal and delete themselves.
void showAbout(QWidget& window);
// Lists the mouse functions in the viewport and all actions with keys.
void showCheatSheet(QWidget& window, const QList<QAction*>& actions);

}  // namespace ck::ui
