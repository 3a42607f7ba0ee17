#include "ui/windows/fade_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QPushButton>

#include "ui/document/text.h"

namespace ck::ui {

FadeDialog::FadeDialog(const QStringList& clips, int actors, QWidget* parent)
    : QDialog(parent),
      clip_(new QComboBox),
      seconds_(new QDoubleSpinBox),
      phase_(new QComboBox),
      eased_(new QCheckBox(tr("&Eased: slow at both ends"))) {
  setWindowTitle(tr("Fade %1").arg(counted(actors, tr("actor"), tr("actors"))));
  clip_->addItems(clips);
  seconds_->setRange(0.0, 60.0);
  seconds_->setSingleStep(0.1);
  seconds_->setValue(0.5);
  seconds_->setSuffix(tr(" s"));
  phase_->addItem(tr("where its own clock is"), int(FadePhase::Own));
  phase_->addItem(tr("where the first clip is"), int(FadePhase::Synced));
  phase_->addItem(tr("at its start"), int(FadePhase::Start));
  phase_->setCurrentIndex(1);
  phase_->setToolTip(tr("Walks that are synced keep step; a jump wants its start"));
  eased_->setChecked(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("&Fade now"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* form = new QFormLayout(this);
  form->addRow(tr("&To"), clip_);
  form->addRow(tr("&Over"), seconds_);
  form->addRow(tr("&Begins"), phase_);
  form->addRow(QString(), eased_);
  form->addRow(buttons);
}

FadeRequest FadeDialog::request() const {
  return {.clip = clip_->currentIndex(),
          .seconds = seconds_->value(),
          .phase = FadePhase(phase_->currentData().toInt()),
          .eased = eased_->isChecked()};
}

}  // namespace ck::ui
