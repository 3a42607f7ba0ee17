#pragma once

#include <QLineEdit>

namespace ck::ui {

// A field for one number of several actors. Shows the common value, or in grey the range of values.
// Accepts numbers and expressions (ui/parts/actor_expression.h). An invalid text is kept and marked
// red with a message.
class NumberEdit : public QLineEdit {
  Q_OBJECT

 public:
  explicit NumberEdit(QWidget* parent = nullptr);

  // The range of values in the selection; low == high is a common value.
  void showRange(double low, double high, int decimals);
  void showNothing();
  void showWrong(const QString& reason);

 signals:
  // The user pressed Enter, or left the field with a changed text.
  void entered(const QString& expression);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void take();
  void setWrong(bool wrong);

  QString shown_;
};

}  // namespace ck::ui
