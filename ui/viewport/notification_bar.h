#pragma once

#include <QFrame>
#include <deque>

#include "ui/document/notice.h"

class QBoxLayout;
class QLabel;
class QToolButton;

namespace ck::ui {

// A message with buttons over the viewport that blocks nothing and stays until it is closed or
// acted on. Several wait their turn.
class NotificationBar : public QFrame {
  Q_OBJECT

 public:
  explicit NotificationBar(QWidget* parent = nullptr);

  void push(const Notice& notice);
  void closeCurrent();

 private:
  void showCurrent();

  std::deque<Notice> waiting_;
  QLabel* icon_;
  QLabel* text_;
  QLabel* more_;
  QBoxLayout* actions_;
};

}  // namespace ck::ui
