#include "ui/parts/scrub_drag.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <cmath>
#include <utility>

namespace ck::ui {
namespace {

constexpr double kDragPixels = 3.0;  // a shorter way is a click
constexpr double kFine = 0.1;

// The widget that has the focus for `widget`.
QWidget* focusOf(QWidget* widget) {
  while (widget->focusProxy()) widget = widget->focusProxy();
  return widget;
}

}  // namespace

ScrubDrag::ScrubDrag(QWidget* handle) : QObject(handle), handle_(handle) {
  handle->installEventFilter(this);
  if (qobject_cast<QLineEdit*>(handle)) {
    // Qt would focus the line edit before the press arrives here. The click does so below.
    QWidget* focused = focusOf(handle);
    handle->setFocusPolicy(Qt::TabFocus);
    focused->setFocusPolicy(Qt::TabFocus);
    if (focused != handle) focused->installEventFilter(this);
  }
  showCursor();
}

bool ScrubDrag::isEdited() const {
  return qobject_cast<QLineEdit*>(handle_) && handle_->hasFocus();
}

bool ScrubDrag::canDrag() const {
  if (const auto* edit = qobject_cast<QLineEdit*>(handle_)) {
    return !edit->hasFocus() && !edit->isReadOnly();
  }
  const auto* label = qobject_cast<QLabel*>(handle_);
  return !label || !label->buddy() || label->buddy()->isEnabled();
}

void ScrubDrag::showCursor() {
  handle_->setCursor(isEdited() ? Qt::IBeamCursor : Qt::SizeHorCursor);
}

bool ScrubDrag::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::FocusIn || type == QEvent::FocusOut) showCursor();
  if (state_ == State::Dragging && (type == QEvent::KeyPress || type == QEvent::ShortcutOverride) &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    if (type == QEvent::KeyPress) cancel();
    event->accept();
    return true;
  }
  if (watched != handle_) return false;
  switch (type) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
      return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
      return move(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
      return static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton && release();
    case QEvent::Hide:
    case QEvent::EnabledChange:
      cancel();
      state_ = State::Idle;
      return false;
    default:
      return false;
  }
}

bool ScrubDrag::press(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || state_ != State::Idle || !canDrag()) return false;
  state_ = State::Pressed;
  pressedAt_ = event.globalPosition();
  lastAt_ = pressedAt_;
  steps_ = 0.0;
  return true;
}

bool ScrubDrag::move(const QMouseEvent& event) {
  if (state_ == State::Idle) return false;
  const QPointF at = event.globalPosition();
  if (state_ == State::Pressed && std::abs(at.x() - pressedAt_.x()) >= kDragPixels) {
    state_ = State::Dragging;
    // Esc goes to the focused widget, whichever that is.
    qApp->installEventFilter(this);
    emit started();
  }
  if (state_ == State::Dragging) {
    const bool fine = event.modifiers().testFlag(Qt::ShiftModifier);
    snaps_ = event.modifiers().testFlag(Qt::ControlModifier);
    steps_ += (at.x() - lastAt_.x()) / kPixelsPerStep * (fine ? kFine : 1.0);
    lastAt_ = at;
    emit moved(snaps_ ? std::round(steps_) : steps_);
  }
  return true;
}

bool ScrubDrag::release() {
  const State ended = std::exchange(state_, State::Idle);
  if (ended == State::Pressed) {
    if (auto* edit = qobject_cast<QLineEdit*>(handle_)) {
      focusOf(edit)->setFocus(Qt::MouseFocusReason);
      edit->selectAll();
    }
    emit clicked();
  } else if (ended == State::Dragging) {
    qApp->removeEventFilter(this);
    emit finished();
  }
  return ended != State::Idle;
}

void ScrubDrag::cancel() {
  if (state_ != State::Dragging) return;
  state_ = State::Cancelled;
  qApp->removeEventFilter(this);
  emit cancelled();
}

}  // namespace ck::ui
