#pragma once

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace ck::ui {

// One morph in the panel: its name, a slider and a number field.
class MorphRow : public QWidget {
  Q_OBJECT

 public:
  explicit MorphRow(const QString& name, QWidget* parent = nullptr);

  const QString& name() const { return name_; }
  // Shows the weight, and whether it is the actors' own weight or that of their clips.
  void show(double weight, bool own);
  // Whether the last frame processed this morph.
  void setChangedNow(bool changed);
  bool isHeld() const;  // whether the artist is dragging the slider

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
