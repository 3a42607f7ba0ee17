#pragma once

#include <QObject>

class QKeyEvent;
class QMouseEvent;
class QPainter;

namespace ck::ui {

class ViewProjection;

// What the left mouse button does in the viewport besides selecting: a gizmo, a brush, a path that
// is drawn. The camera has the first say about a press, then the tool, then the picker.
class ViewportTool : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  // Returns whether the tool takes the press; it then gets the moves until the release.
  virtual bool press(const QMouseEvent& event, const ViewProjection& view) = 0;
  // Also without a button, while the pointer is over the view.
  virtual void move(const QMouseEvent& event, const ViewProjection& view) = 0;
  virtual void release(const QMouseEvent& event, const ViewProjection& view) = 0;
  // Returns whether the tool takes the key. While it has a press it is asked before all shortcuts.
  virtual bool key(const QKeyEvent&) { return false; }
  // Ends what a press has begun, as if it had not been.
  virtual void cancel() {}
  // Draws over the view, in logical pixels.
  virtual void paint(QPainter& painter, const ViewProjection& view) = 0;

 signals:
  void changed();  // to be painted again
};

}  // namespace ck::ui
