#pragma once

#include <QDialog>

#include "core/crowd/fade.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;

namespace ck::ui {

// Asks for the target clip and the parameters of a fade. Playback continues meanwhile.
class FadeDialog : public QDialog {
  Q_OBJECT

 public:
  FadeDialog(const QStringList& clips, int actors, QWidget* parent = nullptr);

  FadeRequest request() const;

 private:
  QComboBox* clip_;
  QDoubleSpinBox* seconds_;
  QComboBox* phase_;
  QCheckBox* eased_;
};

}  // namespace ck::ui
