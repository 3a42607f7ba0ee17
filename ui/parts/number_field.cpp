#include "ui/parts/number_field.h"

#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QStyle>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "ui/document/text.h"
#include "ui/parts/field_units.h"
#include "ui/parts/scrub_drag.h"
#include "ui/parts/tool_tips.h"

namespace ck::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("NumberField", text);
}

// A number box of Qt that is also a NumberField.
template <class Box>
class FieldBox final : public Box, public NumberField {
 public:
  FieldBox() : NumberField(this) {
    this->setKeyboardTracking(false);
    start();
  }

  double number() const override { return double(this->value()); }
  void setNumber(double number) override {
    const double kept = std::clamp(number, lowest(), highest());
    if constexpr (std::is_same_v<Box, QSpinBox>) {
      this->setValue(int(std::lround(kept)));
    } else {
      this->setValue(kept);
    }
  }
  QString textFor(double number) const override {
    return this->prefix() + this->textFromValue(static_cast<decltype(this->value())>(number)) +
           this->suffix();
  }

 protected:
  double step() const override { return double(this->singleStep()); }
  double lowest() const override { return double(this->minimum()); }
  double highest() const override { return double(this->maximum()); }
  QString prefixText() const override { return this->prefix(); }
  QString suffixText() const override { return this->suffix(); }
  QString typedText() const override { return this->lineEdit()->text(); }
  QString fullText() const override {
    const bool special = this->value() == this->minimum() && !this->specialValueText().isEmpty();
    return special ? this->specialValueText() : textFor(number());
  }
  // Setting the same number would keep the text.
  void showNumber() override { this->setSuffix(this->suffix()); }
  bool isTaken(const QString& text) const override {
    QString copy = text;
    int at = 0;
    return Box::validate(copy, at) == QValidator::Acceptable;
  }

  // Any text may be typed. Qt drops a text that is still Intermediate when the typing ends.
  QValidator::State validate(QString& text, int&) const override {
    return isTaken(text) || read(text) ? QValidator::Acceptable : QValidator::Intermediate;
  }
  decltype(std::declval<Box>().value()) valueFromText(const QString& text) const override {
    if (isTaken(text)) return Box::valueFromText(text);
    const Result<double> number = read(text);
    if (!number) return this->value();
    if constexpr (std::is_same_v<Box, QSpinBox>) return int(std::lround(*number));
    // Further decimals are cut by setValue().
    return static_cast<decltype(this->value())>(*number);
  }
  void fixup(QString&) const override {}

  bool event(QEvent* event) override { return handle(*event) || Box::event(event); }
  void contextMenuEvent(QContextMenuEvent* event) override {
    QMenu* menu = this->lineEdit()->createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addActions(*menu);
    menu->popup(event->globalPos());
  }
};

}  // namespace

void NumberField::start() {
  auto* line = box_->findChild<QLineEdit*>();
  addHandle(line);
  QObject::connect(line, &QLineEdit::textEdited, box_, [this] { setProblem({}); });
}

void NumberField::addHandle(QWidget* handle) {
  auto* drag = new ScrubDrag(handle);
  // A label may outlive its field.
  QObject::connect(box_, &QObject::destroyed, drag, &QObject::deleteLater);
  QObject::connect(drag, &ScrubDrag::started, box_, [this] {
    finish();
    before_ = number();
    isDragged_ = true;
  });
  QObject::connect(drag, &ScrubDrag::moved, box_, [this, drag](double steps) {
    const double value = before_ + steps * step();
    setNumber(drag->snaps() ? std::round(value / step()) * step() : value);
  });
  QObject::connect(drag, &ScrubDrag::finished, box_, [this] {
    isDragged_ = false;
    finish();
  });
  QObject::connect(drag, &ScrubDrag::cancelled, box_, [this] {
    isDragged_ = false;
    goBack();
    finish();
  });
}

void NumberField::goBack() {
  if (takeBack_ && takeBack_()) {
    before_ = number();
  } else {
    setNumber(before_);
  }
}

void NumberField::noteSet() {
  if (!isDragged_) before_ = number();
}

void NumberField::finish() {
  emit box_->editingFinished();
}

void NumberField::reset() {
  if (!default_ || !box_->isEnabled()) return;
  setProblem({});
  setNumber(*default_);
  finish();
}

// The text without what the field adds to it. The suffix may have been typed over.
QString NumberField::inner(QString text) const {
  const QString prefix = prefixText();
  if (!prefix.isEmpty() && text.startsWith(prefix)) text.remove(0, prefix.size());
  const QString suffix = suffixText();
  if (!suffix.isEmpty() && text.endsWith(suffix)) text.chop(suffix.size());
  return text;
}

Result<double> NumberField::read(const QString& text) const {
  const auto expression = Expression::read(expressionText(inner(text)), unitsOf(suffixText()));
  if (!expression) return tl::unexpected(expression.error());
  const double value = expression->value();
  if (value >= lowest() && value <= highest()) return value;
  return fail(ErrorCode::LimitExceeded, utf8Of(tr("%1 is out of range: this field takes %2 to %3")
                                                   .arg(QLocale().toString(value, 'g', 7),
                                                        textFor(lowest()), textFor(highest()))));
}

bool NumberField::isChanged() const {
  return number() != before_ || typedText() != fullText();
}

void NumberField::restore() {
  setProblem({});
  QToolTip::hideText();
  showNumber();
  goBack();
  box_->selectAll();
  finish();
}

bool NumberField::refuse() {
  const QString text = typedText();
  if (isTaken(text)) return false;
  const Result<double> number = read(text);
  if (number) return false;
  setProblem(tr("%1. The number is still %2")
                 .arg(textOf(number.error().message), textFor(this->number())));
  showToolTip(box_->mapToGlobal(QPoint(0, box_->height())), problem_, box_);
  return true;
}

void NumberField::setProblem(const QString& problem) {
  if (problem == problem_) return;
  if (problem_.isEmpty()) tip_ = box_->toolTip();
  // A tool tip that was set meanwhile stays.
  const bool own = problem_.isEmpty() || box_->toolTip() == problem_;
  problem_ = problem;
  if (own) box_->setToolTip(problem.isEmpty() ? tip_ : problem);
  box_->setProperty("wrong", !problem.isEmpty());
  box_->style()->unpolish(box_);
  box_->style()->polish(box_);
}

bool NumberField::handle(QEvent& event) {
  switch (event.type()) {
    case QEvent::FocusIn:
      before_ = number();
      return false;
    case QEvent::FocusOut: {
      // Qt then shows the number again.
      const bool leaves = static_cast<QFocusEvent&>(event).reason() != Qt::PopupFocusReason;
      if (leaves && refuse()) setProblem({});
      return false;
    }
    case QEvent::MouseButtonPress:
      // The buttons; the line edit has events of its own.
      if (!box_->hasFocus()) box_->setFocus(Qt::MouseFocusReason);
      return false;
    case QEvent::ShortcutOverride:
      if (static_cast<QKeyEvent&>(event).key() != Qt::Key_Escape || !isChanged()) return false;
      event.accept();
      return true;
    case QEvent::KeyPress: {
      const int key = static_cast<QKeyEvent&>(event).key();
      if (key == Qt::Key_Escape && isChanged()) {
        restore();
        return true;
      }
      if (key != Qt::Key_Return && key != Qt::Key_Enter) return false;
      if (refuse()) return true;
      // Esc from here on restores what is taken now, which the box does not have yet.
      QMetaObject::invokeMethod(
          box_, [this] { before_ = number(); }, Qt::QueuedConnection);
      return false;
    }
    default:
      return false;
  }
}

void NumberField::addActions(QMenu& menu) {
  menu.addSeparator();
  QAction* reset =
      menu.addAction(default_ ? tr("&Reset to %1").arg(textFor(*default_)) : tr("&Reset"));
  reset->setShortcut(Qt::Key_Backspace);
  reset->setEnabled(default_ && box_->isEnabled() && number() != *default_);
  if (!default_) {
    reset->setToolTip(tr("This field has no default"));
  } else if (!reset->isEnabled()) {
    reset->setToolTip(tr("It has its default"));
  }
  menu.setToolTipsVisible(true);
  QObject::connect(reset, &QAction::triggered, box_, [this] { this->reset(); });
  menu.addSeparator();
  QObject::connect(menu.addAction(tr("Step &up")), &QAction::triggered, box_,
                   [this] { box_->stepUp(); });
  QObject::connect(menu.addAction(tr("Step &down")), &QAction::triggered, box_,
                   [this] { box_->stepDown(); });
}

QSpinBox* wholeField() {
  return new FieldBox<QSpinBox>;
}
QDoubleSpinBox* numberField() {
  return new FieldBox<QDoubleSpinBox>;
}

NumberField* numberFieldOf(QWidget* widget) {
  while (widget && widget->focusProxy()) widget = widget->focusProxy();
  return dynamic_cast<NumberField*>(widget);
}

}  // namespace ck::ui
