#pragma once

#include <QFrame>
#include <deque>

#include "ui/document/notices.h"

class QBoxLayout;
class QLabel;
class QToolButton;

namespace ck::ui {

// A non-modal message with buttons over the viewport. It stays until it is closed or a button is
// used. Further messages are queued.
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
