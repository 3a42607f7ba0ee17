#pragma once

#include <QLineEdit>
#include <algorithm>
#include <optional>
#include <vector>

#include "ui/parts/actor_expression.h"

namespace ck::ui {

// A field for one number of several actors or clips. Shows the common value, or in grey the range
// of values. Accepts numbers and expressions (ui/parts/actor_expression.h).
class NumberEdit : public QLineEdit {
  Q_OBJECT

 public:
  explicit NumberEdit(QWidget* parent = nullptr);

  // Shows the numbers that `get` returns for the items; nothing without items.
  template <class Get>
  void showNumbers(const std::vector<int>& items, Get get, int decimals) {
    if (items.empty()) return showText({}, {});
    const auto [low, high] = std::ranges::minmax(items, {}, get);
    showRange(get(low), get(high), decimals);
  }

  // Reads an entered text. If it is invalid, the field keeps its text, marked red with a message.
  std::optional<ActorFormula> read(const QString& text, std::uint64_t seed, int stream = 77);

  // Shows a sentence below the field: what became of the entered text, and why.
  void explain(const QString& sentence);

 signals:
  // The user pressed Enter, or left the field with a changed text.
  void entered(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showRange(double low, double high, int decimals);
  void showText(const QString& text, const QString& placeholder);
  void showPlaceholder();
  void take();
  void setWrong(bool wrong);

  QString shown_;
  QString mixed_;  // empty for a common value
};

}  // namespace ck::ui
