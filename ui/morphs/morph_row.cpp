#include "ui/morphs/morph_row.h"

#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/morph/morph_weight.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

constexpr int kSteps = 100;  // slider steps for a weight of 1

// The font size of a row in a long list.
QToolButton* targetButton(const char* iconName, const QString& tip, const QString& name) {
  QToolButton* button = iconButton(QString::fromLatin1(iconName), tip);
  button->setAccessibleName(name);
  return button;
}

}  // namespace

MorphRow::MorphRow(const QString& name, QWidget* parent)
    : QWidget(parent),
      name_(name),
      mark_(new QLabel),
      slider_(new QSlider(Qt::Horizontal)),
      field_(new QDoubleSpinBox),
      reset_(
          targetButton("rotate-ccw", tr("Let the clips decide again"), tr("Reset %1").arg(name))) {
  mark_->setFixedWidth(10);
  mark_->setToolTip(tr("Lit while the target changes from frame to frame"));
  auto* label = new QLabel(name);
  label->setMinimumWidth(70);
  label->setToolTip(name);
  label->setBuddy(slider_);
  slider_->setRange(0, kSteps);
  slider_->setPageStep(kSteps / 10);
  slider_->setAccessibleName(name);
  field_->setRange(-double(kLargestMorphWeight), double(kLargestMorphWeight));
  field_->setDecimals(2);
  field_->setSingleStep(0.05);
  field_->setKeyboardTracking(false);
  field_->setAccessibleName(tr("Weight of %1").arg(name));
  for (QLineEdit* inner : field_->findChildren<QLineEdit*>()) {
    inner->setAccessibleName(field_->accessibleName());
  }
  auto* solo = targetButton("focus", tr("Only this one: all others to 0"), tr("Only %1").arg(name));
  auto* vary =
      targetButton("dices", tr("Everybody differently: a weight of its own, from 0 to 1, for each"),
                   tr("Vary %1").arg(name));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(mark_);
  layout->addWidget(label, 2);
  layout->addWidget(slider_, 3);
  layout->addWidget(field_);
  layout->addWidget(solo);
  layout->addWidget(vary);
  layout->addWidget(reset_);
  connect(slider_, &QSlider::valueChanged, this,
          [this](int value) { emit entered(double(value) / kSteps); });
  connect(slider_, &QSlider::sliderReleased, this, &MorphRow::gestureEnded);
  connect(field_, &QDoubleSpinBox::valueChanged, this, &MorphRow::entered);
  connect(field_, &QAbstractSpinBox::editingFinished, this, &MorphRow::gestureEnded);
  connect(solo, &QToolButton::clicked, this, &MorphRow::soloAsked);
  connect(vary, &QToolButton::clicked, this, &MorphRow::varyAsked);
  connect(reset_, &QToolButton::clicked, this, &MorphRow::resetAsked);
}

bool MorphRow::isHeld() const {
  return slider_->isSliderDown() || field_->hasFocus();
}

void MorphRow::show(double weight, bool own) {
  const QSignalBlocker quietSlider(slider_);
  const QSignalBlocker quietField(field_);
  // Weights outside 0..1 extend the slider's range.
  slider_->setRange(std::min(0, int(std::floor(weight)) * kSteps),
                    std::max(kSteps, int(std::ceil(weight)) * kSteps));
  if (!slider_->isSliderDown()) slider_->setValue(int(std::lround(weight * kSteps)));
  if (!field_->hasFocus()) field_->setValue(weight);
  reset_->setEnabled(own);
}

void MorphRow::setChangedNow(bool changed) {
  mark_->setText(changed ? QStringLiteral("<span style='color:#6db3ff'>&#9679;</span>")
                         : QString());
}

}  // namespace ck::ui
