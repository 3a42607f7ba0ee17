#pragma once

#include <QPointer>
#include <QString>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/result.h"

class QAbstractSpinBox;
class QDoubleSpinBox;
class QEvent;
class QMenu;
class QSpinBox;
class QWidget;

namespace ck::ui {

class ScrubDrag;

// The common part of the editor's number boxes, besides Qt's boxes. Made by wholeField() and
// numberField(); every box of wholeBox() and numberBox() (ui/parts/panel_parts.h) is one.
//
// - A horizontal drag on the field, while it is not being edited, or on its label changes the
//   number: 4 pixels a step, Shift a tenth of it, Ctrl to multiples of the step.
// - Typed text may be an expression with units ("50*3", "150 cm", "10 %"). Text that is wrong, or a
//   number out of range, turns the field red and says why; the number stays.
// - Esc restores the number from before the typing or the drag.
// - Backspace with the mouse over it, and Reset in the context menu, set the default.
// - The wheel changes it only while it has the focus.
//
// valueChanged() is emitted for every number of a drag, but not for every key. editingFinished()
// ends every gesture: typing, a drag, a reset.
class NumberField {
 public:
  virtual ~NumberField() = default;

  virtual double number() const = 0;
  virtual void setNumber(double number) = 0;  // kept in range and rounded to the decimals
  virtual QString textFor(double number) const = 0;

  // The number that reset() sets; without one the field has no reset.
  void setDefaultNumber(double number) { default_ = number; }
  std::optional<double> defaultNumber() const { return default_; }
  // Does nothing if the field is disabled.
  void reset();

  // Sets the function that takes back all changes since editingFinished(), where restoring the
  // number alone would not; it returns false if it cannot. Esc calls it first.
  void setTakeBack(std::function<bool()> takeBack) { takeBack_ = std::move(takeBack); }
  // The number was set from outside: Esc restores this one, unless a drag is under way.
  void noteSet();

  // Lets `handle` drag the number, besides the field itself. Once for each handle.
  void addHandle(QWidget* handle);
  // Why the text of the field cannot be taken, or empty.
  QString problem() const { return problem_; }

 protected:
  // `box` is the object itself; it may still be under construction.
  explicit NumberField(QAbstractSpinBox* box) : box_(box) {}
  void start();
  // The number that a text means, without prefix and suffix. Fails with a sentence, also if it is
  // out of range.
  Result<double> read(const QString& text) const;
  // Handles an event of the box before the box does. Returns whether that is all.
  bool handle(QEvent& event);
  void addActions(QMenu& menu);

  virtual double step() const = 0;
  virtual double lowest() const = 0;
  virtual double highest() const = 0;
  virtual QString prefixText() const = 0;
  virtual QString suffixText() const = 0;
  virtual bool isTaken(const QString& text) const = 0;  // whether the text is a number in range
  virtual QString typedText() const = 0;                // the text of the line edit
  virtual QString fullText() const = 0;                 // what the line edit shows of the number
  virtual void showNumber() = 0;                        // drops what is typed

 private:
  QString inner(QString text) const;
  bool isChanged() const;
  void restore();
  void goBack();
  bool refuse();  // whether the text is wrong
  void setProblem(const QString& problem);
  void finish();

  QAbstractSpinBox* box_;
  std::optional<double> default_;
  std::function<bool()> takeBack_;
  bool isDragged_ = false;
  double before_ = 0.0;  // at the start of the typing or the drag
  QString problem_;
  QString tip_;  // the tool tip that a problem has replaced
};

QSpinBox* wholeField();
QDoubleSpinBox* numberField();

// Null if the widget, or the one that has its focus, is no number field.
NumberField* numberFieldOf(QWidget* widget);

}  // namespace ck::ui
