#include "ui/parts/number_edit.h"

#include <QKeyEvent>
#include <QStyle>
#include <QToolTip>
#include <cmath>

namespace ck::ui {

NumberEdit::NumberEdit(QWidget* parent) : QLineEdit(parent) {
  connect(this, &QLineEdit::editingFinished, this, &NumberEdit::take);
  connect(this, &QLineEdit::textEdited, this, [this] { setWrong(false); });
}

void NumberEdit::showRange(double low, double high, int decimals) {
  // Numbers in C format, so that a shown number can be typed again.
  const QString from = QString::number(low, 'f', decimals);
  const QString to = QString::number(high, 'f', decimals);
  const bool mixed = from != to;
  shown_ = mixed ? QString() : from;
  setPlaceholderText(mixed ? tr("mixed, %1 to %2").arg(from, to) : QString());
  // A field that is too narrow shows the start of the text.
  if (mixed && fontMetrics().horizontalAdvance(placeholderText()) > width() - 18) {
    setPlaceholderText(tr("mixed"));
  }
  setText(shown_);
  setCursorPosition(0);
  setWrong(false);
}

void NumberEdit::showNothing() {
  shown_.clear();
  setPlaceholderText(QString());
  setText(shown_);
  setWrong(false);
}

void NumberEdit::showWrong(const QString& reason) {
  setWrong(true);
  QToolTip::showText(mapToGlobal(QPoint(0, height())), reason, this);
}

void NumberEdit::take() {
  if (text().isEmpty() || text() == shown_) return;
  emit entered(text());
}

void NumberEdit::setWrong(bool wrong) {
  if (property("wrong").toBool() == wrong) return;
  setProperty("wrong", wrong);
  style()->unpolish(this);
  style()->polish(this);
}

void NumberEdit::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    setText(shown_);
    setWrong(false);
    return;
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace ck::ui
