#pragma once

#include <QFrame>
#include <QList>

#include "core/project/brush.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;
class QToolButton;

namespace ck::ui {

class BrushTool;
class Document;

// The options of the brush, over the view: what it does, its size and strength, and what the mode
// needs besides.
class BrushBar : public QFrame {
  Q_OBJECT

 public:
  BrushBar(BrushTool& tool, Document& document, QWidget* parent = nullptr);

 signals:
  void sizeChanged();  // other fields are shown

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
  QComboBox* character_;
  QComboBox* clip_;
  QCheckBox* offset_;
  QCheckBox* tint_;
  QSpinBox* rate_;
  QSpinBox* size_;
};

}  // namespace ck::ui
