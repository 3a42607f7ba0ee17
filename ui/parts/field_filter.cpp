#include "ui/parts/field_filter.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QCursor>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTextEdit>
#include <QWheelEvent>

#include "ui/parts/number_field.h"
#include "ui/parts/scrub_drag.h"

namespace ck::ui {
namespace {

bool isWheelField(const QWidget* widget) {
  return qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget) ||
         (qobject_cast<const QAbstractSlider*>(widget) && !qobject_cast<const QScrollBar*>(widget));
}

bool isText(const QWidget* widget) {
  return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
         qobject_cast<const QTextEdit*>(widget) || qobject_cast<const QPlainTextEdit*>(widget) ||
         (qobject_cast<const QComboBox*>(widget) &&
          static_cast<const QComboBox*>(widget)->isEditable());
}

// Gives an event to the scroll area that the field is in, if there is one. Qt would not offer it to
// the parents, because a filter has kept it from the field.
void scrollAround(const QWidget& field, const QWheelEvent& event) {
  for (QWidget* around = field.parentWidget(); around; around = around->parentWidget()) {
    auto* area = qobject_cast<QAbstractScrollArea*>(around);
    if (!area) continue;
    QWidget* viewport = area->viewport();
    QWheelEvent copy(viewport->mapFromGlobal(event.globalPosition()), event.globalPosition(),
                     event.pixelDelta(), event.angleDelta(), event.buttons(), event.modifiers(),
                     event.phase(), event.inverted());
    QApplication::sendEvent(viewport, &copy);
    return;
  }
}

NumberField* fieldUnderMouse() {
  QWidget* under = QApplication::widgetAt(QCursor::pos());
  if (auto* label = qobject_cast<QLabel*>(under)) return numberFieldOf(label->buddy());
  return under ? numberFieldOf(wheelFieldOf(under)) : nullptr;
}

// A cell of a table keeps the focus until its value is entered.
bool isInCell(const QComboBox& choice) {
  return choice.parentWidget() &&
         qobject_cast<const QAbstractItemView*>(choice.parentWidget()->parentWidget());
}

bool isTypeAhead(const QWidget& widget, const QKeyEvent& event) {
  const auto* choice = qobject_cast<const QComboBox*>(&widget);
  const QString text = event.text();
  return choice && !choice->isEditable() && text.size() == 1 && text[0].isPrint() &&
         !text[0].isSpace() && !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier));
}

}  // namespace

QWidget* wheelFieldOf(QWidget* widget) {
  // The list of a choice is a window of its own.
  while (widget && !isWheelField(widget)) {
    widget = widget->isWindow() ? nullptr : widget->parentWidget();
  }
  return widget;
}

FieldFilter::FieldFilter(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

void FieldFilter::prepare(QWidget* widget) {
  if (isWheelField(widget) && widget->focusPolicy() == Qt::WheelFocus) {
    widget->setFocusPolicy(Qt::StrongFocus);
  }
  if (auto* choice = qobject_cast<QComboBox*>(widget); choice && !isInCell(*choice)) {
    connect(choice, &QComboBox::activated, this, &FieldFilter::leaveChoice, Qt::UniqueConnection);
  }
  auto* label = qobject_cast<QLabel*>(widget);
  if (!label || label->findChild<ScrubDrag*>()) return;
  if (NumberField* field = numberFieldOf(label->buddy())) field->addHandle(label);
}

// Once the list is closed, which gives the focus back to the box.
void FieldFilter::leaveChoice() {
  auto* choice = static_cast<QWidget*>(sender());
  if (!byMouse_ || !view_ || choice->window() != view_->window()) return;
  QMetaObject::invokeMethod(
      choice,
      [choice, view = view_] {
        if (view && view->isVisible() && choice->hasFocus()) view->setFocus(Qt::OtherFocusReason);
      },
      Qt::QueuedConnection);
}

void FieldFilter::note(const QWidget* widget, const QEvent& event) {
  switch (event.type()) {
    case QEvent::MouseButtonPress:
      byMouse_ = true;
      overView_ = widget == view_;
      break;
    case QEvent::KeyPress:
      byMouse_ = false;
      if (static_cast<const QKeyEvent&>(event).key() != Qt::Key_Space) overView_ = false;
      break;
    case QEvent::Wheel:
      byMouse_ = false;
      break;
    case QEvent::MouseMove:
      overView_ = widget == view_;
      break;
    case QEvent::Leave:
      if (widget == view_) overView_ = false;
      break;
    default:
      break;
  }
}

bool FieldFilter::eventFilter(QObject* watched, QEvent* event) {
  if (!watched->isWidgetType()) return false;
  auto* widget = static_cast<QWidget*>(watched);
  note(widget, *event);
  switch (event->type()) {
    case QEvent::Polish:
    case QEvent::Show:
      prepare(widget);
      return false;
    case QEvent::Wheel: {
      const QWidget* field = wheelFieldOf(widget);
      if (!field || field->hasFocus()) return false;
      scrollAround(*field, *static_cast<QWheelEvent*>(event));
      event->accept();
      return true;
    }
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
      return takeKey(widget, *static_cast<QKeyEvent*>(event));
    default:
      return false;
  }
}

bool FieldFilter::takeKey(QWidget* widget, QKeyEvent& event) {
  const bool isPress = event.type() == QEvent::KeyPress;
  if (isPress && isTypeAhead(*widget, event)) {
    event.ignore();
    return true;
  }
  if (event.modifiers() != Qt::NoModifier || isText(QApplication::focusWidget())) return false;
  if (event.key() == Qt::Key_Space) return passSpace(event);
  if (event.key() != Qt::Key_Backspace) return false;
  NumberField* field = fieldUnderMouse();
  if (!field || !field->defaultNumber()) return false;
  event.accept();
  if (isPress) field->reset();
  return true;
}

// The view has the focus afterwards, and so gets the release.
bool FieldFilter::passSpace(QKeyEvent& event) {
  QWidget* focused = QApplication::focusWidget();
  if (!view_ || !overView_ || !view_->isVisible() || !focused || focused == view_) return false;
  if (QApplication::activePopupWidget()) return false;
  if (focused->window() != view_->window()) return false;
  if (event.type() == QEvent::KeyPress) {
    view_->setFocus(Qt::OtherFocusReason);
    QApplication::sendEvent(view_, &event);
  }
  event.accept();
  return true;
}

}  // namespace ck::ui
