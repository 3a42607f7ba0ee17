#pragma once

#include <QFrame>
#include <QList>

#include "core/project/actors/brush.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;
class QStackedWidget;
class QToolButton;

namespace ck::ui {

class BrushTool;
class Document;

// The options of the brush, over the view: what it does, its size and strength, and what the mode
// needs besides. Its fields keep their places: what a mode does not need is disabled, or gives its
// place to what it needs.
class BrushBar : public QFrame {
  Q_OBJECT

 public:
  BrushBar(BrushTool& tool, Document& document, QWidget* parent = nullptr);

 private:
  void layOut();
  void showState();
  void fillChoices();
  template <class Change>
  void change(Change change);

  BrushTool& tool_;
  Document& document_;
  QList<QToolButton*> modes_;
  QDoubleSpinBox* radius_;
  QSpinBox* strength_;
  QStackedWidget* needs_;  // of the mode: whom to place, or what to vary
  QComboBox* character_;
  QComboBox* clip_;
  QCheckBox* offset_;
  QCheckBox* tint_;
  QSpinBox* rate_;
  QSpinBox* size_;
};

}  // namespace ck::ui
