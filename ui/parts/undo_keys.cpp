#include "ui/parts/undo_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>

namespace ck::ui {
namespace {

// The text field of a widget: itself, or the one inside a spin box, which has its focus.
QLineEdit* fieldOf(QObject* widget) {
  if (auto* field = qobject_cast<QLineEdit*>(widget)) return field;
  auto* box = qobject_cast<QAbstractSpinBox*>(widget);
  return box ? box->findChild<QLineEdit*>() : nullptr;
}

bool isUndoOrRedo(const QKeyEvent& key) {
  return key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo) ||
         key.keyCombination() == QKeyCombination(Qt::CTRL, Qt::Key_Y) ||
         key.keyCombination() == QKeyCombination(Qt::CTRL | Qt::SHIFT, Qt::Key_Z);
}

}  // namespace

UndoKeys::UndoKeys(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

bool UndoKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn) {
    if (QLineEdit* field = fieldOf(watched)) {
      connect(field, &QLineEdit::returnPressed, this, &UndoKeys::noteEntered, Qt::UniqueConnection);
      connect(field, &QLineEdit::editingFinished, this, &UndoKeys::noteEntered,
              Qt::UniqueConnection);
    }
  } else if (event->type() == QEvent::ShortcutOverride &&
             isUndoOrRedo(static_cast<QKeyEvent&>(*event))) {
    const QLineEdit* field = fieldOf(watched);
    if (field && !field->isModified()) {
      event->ignore();
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

// Qt's mark of typing, which a field keeps if its text is already what the entry makes of it.
void UndoKeys::noteEntered() {
  static_cast<QLineEdit*>(sender())->setModified(false);
}

}  // namespace ck::ui
