#pragma once

#include <QFrame>
#include <deque>

#include "ui/document/notices.h"

class QBoxLayout;
class QLabel;
class QToolButton;

namespace ck::ui {

// A non-modal message with buttons over the viewport. It stays until it is closed, a button
// is used or its cause is gone. Further messages are queued.
class NotificationBar : public QFrame {
  Q_OBJECT

 public:
  explicit NotificationBar(QWidget* parent = nullptr);

  // Shows it; it takes the place of one with the same text.
  void push(const Notice& notice);
  void closeCurrent();
  // Takes away the messages whose cause is gone.
  void review();
  // The message that is shown; null without one.
  const Notice* current() const { return waiting_.empty() ? nullptr : &waiting_.front(); }

 private:
  void showCurrent();
  void showCount();

  std::deque<Notice> waiting_;
  QLabel* icon_;
  QLabel* text_;
  QLabel* more_;
  QBoxLayout* actions_;
};

}  // namespace ck::ui
