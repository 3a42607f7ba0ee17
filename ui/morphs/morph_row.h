#pragma once

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace ck::ui {

// One morph target in the panel: its name, a slider and a field for its weight.
class MorphRow : public QWidget {
  Q_OBJECT

 public:
  explicit MorphRow(const QString& name, QWidget* parent = nullptr);

  const QString& name() const { return name_; }
  // The weight that is shown, and whether the actors have it of their own or their clips decide.
  void show(double weight, bool own);
  // Whether the last frame had to add it up anew.
  void setChangedNow(bool changed);
  bool isHeld() const;  // the artist is moving it

  QSlider& slider() { return *slider_; }
  QDoubleSpinBox& field() { return *field_; }

 signals:
  void entered(double weight);
  void gestureEnded();
  void soloAsked();
  void varyAsked();
  void resetAsked();

 private:
  QString name_;
  QLabel* mark_;
  QSlider* slider_;
  QDoubleSpinBox* field_;
  QToolButton* reset_;
};

}  // namespace ck::ui
