#pragma once

#include <QLabel>

namespace ck::ui {

// A label that wraps and is never clipped. Form layouts use an outdated height or width of a label,
// which lets widgets overlap; this label reports the height for its current width. Its style is
// "figures", its text can be selected.
class FiguresLabel : public QLabel {
 public:
  FiguresLabel();

  // The label accepts focus by Tab only while the text contains a link.
  void showText(const QString& text);
  // Another style of the style sheet: "wrong", "muted".
  void setStyle(const QString& style);

  bool hasHeightForWidth() const override { return false; }
  QSize sizeHint() const override { return {QLabel::sizeHint().width(), heightForWidth(width())}; }
  QSize minimumSizeHint() const override {
    return {QLabel::minimumSizeHint().width(), heightForWidth(width())};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override;
};

}  // namespace ck::ui
