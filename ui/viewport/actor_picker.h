#pragma once

#include <QPoint>
#include <QRect>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/result.h"

class QMouseEvent;
class QRubberBand;
class QWidget;

namespace ck::ui {

class Playback;
class Selection;

// Selects actors of a view by clicks and boxes. Shift adds to the selection; Control toggles the
// clicked actor, or removes the actors of a box.
class ActorPicker {
 public:
  // A function that returns the visible actors in a rectangle of pixels, y down.
  using Pick = std::function<Result<std::vector<std::uint32_t>>(const QRect& pixels)>;

  // All arguments must outlive the picker.
  ActorPicker(QWidget& view, const Playback& playback, Selection& selection, Pick pick);

  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event);     // ignored without a press before
  void release(const QMouseEvent& event);  // ignored without a press before
  // Whether a box is being drawn.
  bool hasBox() const { return band_ != nullptr; }
  // Drops the box; the rest of the drag selects nothing. Returns whether there was one.
  bool cancel();

 private:
  QRect takeBox();
  void click(const QPoint& place, Qt::KeyboardModifiers modifiers);
  void selectBox(const QRect& box, Qt::KeyboardModifiers modifiers);

  QWidget& view_;
  const Playback& playback_;
  Selection& selection_;
  Pick pick_;
  bool isPressed_ = false;
  QPoint pressed_;
  QRubberBand* band_ = nullptr;  // child of the view, while a box is drawn
};

}  // namespace ck::ui
