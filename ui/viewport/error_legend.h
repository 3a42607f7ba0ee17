#pragma once

#include <QWidget>

namespace ck::ui {

class Document;

// Asks for the distance that the last colour of the error view stands for, in millimetres. Does
// nothing if the dialog is cancelled.
void askErrorScale(Document& document, QWidget* parent, double shownMm);
// Sets it; 0 fits the scale to what is seen.
void setErrorScale(Document& document, double mm);

// Lies over the legend of the error view and takes the mouse: the wheel steps the scale through 1,
// 2 and 5 times powers of ten, a double click asks for a number, and the right button asks for the
// menu.
class ErrorLegend : public QWidget {
  Q_OBJECT

 public:
  explicit ErrorLegend(Document& document, QWidget* parent = nullptr);

  // The scale that is seen, also where it fits itself.
  void setShownScale(double mm);

 signals:
  void menuAsked(const QPoint& globalPlace);

 protected:
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  Document& document_;
  double shownMm_ = 1.0;
  int turned_ = 0;  // the wheel, since its last whole step
};

}  // namespace ck::ui
