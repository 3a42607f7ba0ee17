#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

class QKeyEvent;

namespace ck::ui {

// While it lives, for all fields of the application:
// - The wheel over a number box, a choice or a slider without the focus goes to the area around it,
//   which scrolls. None of them gets the focus from the wheel.
// - The label of a number field (QLabel::buddy) drags its number.
// - Backspace resets the number field under the mouse while no text is being edited.
// - Letters and digits choose nothing in a closed list of choices, because they are keys of tools.
// And for a window with a view:
// - A choice by mouse gives the focus to the view.
// - Space goes to the view if the mouse was moved over it last, unless text is being edited.
class FieldFilter : public QObject {
 public:
  explicit FieldFilter(QObject* parent);

  // Null for none. It must outlive the filter, or be deleted together with all fields.
  void setView(QWidget* view) { view_ = view; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void note(const QWidget* widget, const QEvent& event);
  void prepare(QWidget* widget);
  void leaveChoice();
  bool takeKey(QWidget* widget, QKeyEvent& event);
  bool passSpace(QKeyEvent& event);

  QPointer<QWidget> view_;
  bool byMouse_ = false;   // the last press was one of the mouse
  bool overView_ = false;  // the mouse was moved over the view, and nothing was done since
};

// The number box, choice or slider that `widget` is or belongs to; null for any other widget.
// Scroll bars are no fields.
QWidget* wheelFieldOf(QWidget* widget);

}  // namespace ck::ui
