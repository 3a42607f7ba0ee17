#include "ui/parts/field_filter.h"

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

void prepare(QWidget* widget) {
  if (isWheelField(widget) && widget->focusPolicy() == Qt::WheelFocus) {
    widget->setFocusPolicy(Qt::StrongFocus);
  }
  auto* label = qobject_cast<QLabel*>(widget);
  if (!label || label->findChild<ScrubDrag*>()) return;
  if (NumberField* field = numberFieldOf(label->buddy())) field->addHandle(label);
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

bool FieldFilter::eventFilter(QObject* watched, QEvent* event) {
  if (!watched->isWidgetType()) return false;
  auto* widget = static_cast<QWidget*>(watched);
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
    case QEvent::KeyPress: {
      const auto* key = static_cast<QKeyEvent*>(event);
      if (key->key() != Qt::Key_Backspace || key->modifiers() != Qt::NoModifier) return false;
      if (isText(QApplication::focusWidget())) return false;
      NumberField* field = fieldUnderMouse();
      if (!field || !field->defaultNumber()) return false;
      event->accept();
      if (event->type() == QEvent::KeyPress) field->reset();
      return true;
    }
    default:
      return false;
  }
}

}  // namespace ck::ui
