#pragma once

#include <QObject>

class QWidget;

namespace ck::ui {

// While it lives, for all fields of the application:
// - The wheel over a number box, a choice or a slider without the focus goes to the area around it,
//   which scrolls. None of them gets the focus from the wheel.
// - The label of a number field (QLabel::buddy) drags its number.
// - Backspace resets the number field under the mouse while no text is being edited.
class FieldFilter : public QObject {
 public:
  explicit FieldFilter(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

// The number box, choice or slider that `widget` is or belongs to; null for any other widget.
// Scroll bars are no fields.
QWidget* wheelFieldOf(QWidget* widget);

}  // namespace ck::ui
