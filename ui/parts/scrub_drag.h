#pragma once

#include <QObject>
#include <QPointF>

class QMouseEvent;
class QWidget;

namespace ck::ui {

// Turns horizontal drags on a widget into steps of a number. The widget is the label of a field, or
// the line edit of the field itself.
//
// A press that moves less than 3 pixels stays a click. Ctrl gives whole steps, Shift a tenth of the
// speed, and Esc ends the drag with cancelled(). A line edit with the focus is being edited, so it
// cannot be dragged; without the focus a click on it focuses it and selects its text.
class ScrubDrag : public QObject {
  Q_OBJECT

 public:
  static constexpr double kPixelsPerStep = 4.0;

  // Watches `handle`, which owns this object. A label that leads to a disabled field
  // (QLabel::buddy) cannot be dragged.
  explicit ScrubDrag(QWidget* handle);

  bool isDragging() const { return state_ == State::Dragging; }
  // Whether Ctrl is held, as of the last mouse event.
  bool snaps() const { return snaps_; }

 signals:
  // The mouse was pressed and released without a drag.
  void clicked();
  void started();
  // `steps` since started(), negative to the left.
  void moved(double steps);
  void finished();
  // The number is to be as it was at started(). finished() does not follow.
  void cancelled();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class State {
    Idle,
    Pressed,
    Dragging,
    Cancelled,  // the button is still held
  };
  bool press(const QMouseEvent& event);
  bool move(const QMouseEvent& event);
  bool release();
  void cancel();
  bool canDrag() const;
  bool isEdited() const;  // the handle is a line edit with the focus
  void showCursor();

  QWidget* handle_;
  State state_ = State::Idle;
  QPointF pressedAt_;  // on the screen
  QPointF lastAt_;
  double steps_ = 0.0;
  bool snaps_ = false;
};

}  // namespace ck::ui
