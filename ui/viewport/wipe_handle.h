#pragma once

#include <QObject>

class QMouseEvent;
class QPainter;
class QWidget;

namespace ck::ui {

class Document;

// The line between the halves of a divided view, which is dragged (ViewSettings::wipe). A double
// click puts it into the middle; Escape ends a drag and restores where it was.
class WipeHandle : public QObject {
  Q_OBJECT

 public:
  static constexpr int kReachPixels = 6;  // to both sides of the line

  // `view` gives the size. Both must outlive the handle.
  WipeHandle(Document& document, const QWidget& view);

  // Whether the view is divided. Without a line nothing is taken or painted.
  void setShown(bool shown);
  double x() const;  // of the line, in logical pixels
  bool isDragged() const { return dragged_; }
  // Whether the pointer is over the line or drags it.
  bool isUnderPointer() const { return over_ || dragged_; }

  // Each returns whether the handle takes the event.
  bool press(const QMouseEvent& event);
  bool move(const QMouseEvent& event);
  bool release(const QMouseEvent& event);
  bool doubleClick(const QMouseEvent& event);
  bool cancel();
  // Ends a drag where it is; returns whether there was one.
  bool end();
  // The pointer has left the view.
  void leave() { hover(false); }

  // Over the view, in logical pixels.
  void paint(QPainter& painter) const;

 signals:
  void changed();  // to be painted again

 private:
  bool isAt(const QMouseEvent& event) const;
  void set(double wipe);
  void hover(bool over);

  Document& document_;
  const QWidget& view_;
  bool shown_ = false;
  bool over_ = false;
  bool dragged_ = false;
  double before_ = 0.5;   // the value when the drag began
  double grabbed_ = 0.0;  // from the line to the pointer, pixels
};

}  // namespace ck::ui
