#pragma once

#include <QLineEdit>

namespace ck::ui {

// A field for one number of many actors: shows the common value, or in grey what the values span,
// and takes numbers and expressions (models/actor_expression.h). Says what is wrong in red and
// keeps the text.
class NumberEdit : public QLineEdit {
  Q_OBJECT

 public:
  explicit NumberEdit(QWidget* parent = nullptr);

  // What the selection has; low == high is one common value.
  void showRange(double low, double high, int decimals);
  void showNothing();
  void showWrong(const QString& reason);

 signals:
  // Enter was pressed or the field was left with another text than it showed.
  void entered(const QString& expression);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void take();
  void setWrong(bool wrong);

  QString shown_;
};

}  // namespace ck::ui
