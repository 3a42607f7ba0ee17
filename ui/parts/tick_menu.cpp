#include "ui/parts/tick_menu.h"

#include <QKeyEvent>

namespace ck::ui {

constexpr char kStays[] = "keepsMenuOpen";

void TickMenu::keepOpen(QAction& action) {
  action.setProperty(kStays, true);
}

// False if the chosen entry closes the menu.
bool TickMenu::tick() {
  QAction* action = activeAction();
  if (!action || !action->property(kStays).toBool()) return false;
  if (action->isEnabled()) action->trigger();
  return true;
}

void TickMenu::mouseReleaseEvent(QMouseEvent* event) {
  if (actionAt(event->pos()) != activeAction() || !tick()) QMenu::mouseReleaseEvent(event);
}

void TickMenu::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || !tick()) QMenu::keyPressEvent(event);
}

}  // namespace ck::ui
