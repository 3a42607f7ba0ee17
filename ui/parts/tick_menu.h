#pragma once

#include <QMenu>

namespace ck::ui {

// A menu that stays open while entries are ticked which keepOpen() names, by mouse or by the space
// bar. Other entries close it.
class TickMenu : public QMenu {
  Q_OBJECT

 public:
  using QMenu::QMenu;

  static void keepOpen(QAction& action);

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool tick();
};

}  // namespace ck::ui
