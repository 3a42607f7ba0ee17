#pragma once

#include <QFrame>
#include <deque>

#include "ui/document/notices.h"

class QBoxLayout;
class QLabel;
class QToolButton;

namespace ck::ui {

// A non-modal message with buttons, and perhaps a number field, over the viewport. It stays until
// it is closed, a button is used or its cause is gone. Further messages are queued.
class NotificationBar : public QFrame {
  Q_OBJECT

 public:
  explicit NotificationBar(QWidget* parent = nullptr);

  // Shows it; it takes the place of one with the same text.
  void push(const Notice& notice);
  void closeCurrent();
  // Takes away the messages whose cause is gone.
  void review();
  // Another project is open: takes away those without a cause as well, which were about the one
  // before.
  void leaveProject();
  // The width that the bar is about to have: where it is too narrow for the text beside its
  // buttons, these go below.
  void setRoom(int width);
  // The message that is shown; null without one.
  const Notice* current() const { return waiting_.empty() ? nullptr : &waiting_.front(); }

 private:
  template <class IsGone>
  void drop(IsGone isGone);
  void showCurrent();
  void addField(const Notice::Field& field);
  void showCount();

  std::deque<Notice> waiting_;
  QLabel* icon_;
  QLabel* text_;
  QLabel* more_;
  QBoxLayout* body_;  // the text and the buttons
  QBoxLayout* actions_;
};

}  // namespace ck::ui
