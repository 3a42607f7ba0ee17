#pragma once

#include <QObject>
#include <Qt>

class QKeyEvent;
class QMouseEvent;
class QPainter;

namespace ck::ui {

class ViewProjection;

// The action of the left mouse button in the viewport besides selecting: a gizmo, a brush, a path
// that is drawn. The camera has the first say about a press, then the line of a divided view, then
// the tool, then the picker.
class ViewportTool : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  // Returns whether the tool takes the press; it then gets the moves until the release.
  virtual bool press(const QMouseEvent& event, const ViewProjection& view) = 0;
  // Whether the second press of a double click is one for the tool, too, whose event then has the
  // type MouseButtonDblClick. Else it frames the selected actors.
  virtual bool wantsSecondPress(const QMouseEvent&, const ViewProjection&) const { return false; }
  // Also without a button, while the pointer is over the view.
  virtual void move(const QMouseEvent& event, const ViewProjection& view) = 0;
  virtual void release(const QMouseEvent& event, const ViewProjection& view) = 0;
  // Returns whether the tool takes the key. While it has a press it is asked before all shortcuts.
  virtual bool key(const QKeyEvent&) { return false; }
  // These keys are held now: one of them was pressed or released, also while the mouse rests.
  virtual void setModifiers(Qt::KeyboardModifiers) {}
  // Ends what a press has begun, as if it had not been.
  virtual void cancel() {}
  // The pointer has left the view.
  virtual void leave() {}
  // Over the view, unless something that comes before the tool has another one.
  virtual Qt::CursorShape cursor() const { return Qt::ArrowCursor; }
  // Draws over the view, in logical pixels.
  virtual void paint(QPainter& painter, const ViewProjection& view) = 0;

 signals:
  void changed();  // to be painted again
};

}  // namespace ck::ui
