#pragma once

#include <QDialog>
#include <QList>

#include "core/crowd/fade.h"

class QAction;
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

// Both are non-modal and delete themselves.
void showAbout(QWidget& window);
// Lists the mouse functions in the viewport and all actions with keys.
void showCheatSheet(QWidget& window, const QList<QAction*>& actions);

}  // namespace ck::ui
