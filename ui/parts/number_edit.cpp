#include "ui/parts/number_edit.h"

#include <QKeyEvent>
#include <QStyle>
#include <QToolTip>

#include "ui/document/text.h"

namespace ck::ui {
namespace {

constexpr int kFramePixels = 18;  // beside the text

}  // namespace

NumberEdit::NumberEdit(QWidget* parent) : QLineEdit(parent) {
  connect(this, &QLineEdit::editingFinished, this, &NumberEdit::take);
  connect(this, &QLineEdit::textEdited, this, [this] { setWrong(false); });
}

void NumberEdit::showRange(double low, double high, int decimals) {
  // Numbers in C format, so that a shown number can be typed again.
  const QString from = QString::number(low, 'f', decimals);
  const QString to = QString::number(high, 'f', decimals);
  if (from == to) return showText(from, {});
  showText({}, tr("mixed, %1 to %2").arg(from, to));
}

void NumberEdit::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  showPlaceholder();
}

// A field that is too narrow would show the start of the text.
void NumberEdit::showPlaceholder() {
  const bool fits =
      mixed_.isEmpty() || fontMetrics().horizontalAdvance(mixed_) <= width() - kFramePixels;
  setPlaceholderText(fits ? mixed_ : tr("mixed"));
}

void NumberEdit::showText(const QString& text, const QString& placeholder) {
  shown_ = text;
  mixed_ = placeholder;
  showPlaceholder();
  setText(text);
  setCursorPosition(0);
  setWrong(false);
}

std::optional<ActorFormula> NumberEdit::read(const QString& text, std::uint64_t seed, int stream) {
  const Result<ActorFormula> formula = readExpression(text, seed, stream);
  if (formula) return *formula;
  setWrong(true);
  explain(textOf(formula.error().message));
  return std::nullopt;
}

void NumberEdit::explain(const QString& sentence) {
  QToolTip::showText(mapToGlobal(QPoint(0, height())), sentence, this);
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
    QToolTip::hideText();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace ck::ui
