#include "ui/actors/mask_dialog.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "core/anim/joint_mask.h"
#include "core/stage/pipeline.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/name_views.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

Qt::CheckState stateOf(float weight) {
  if (weight <= 0.0f) return Qt::Unchecked;
  return weight >= 1.0f ? Qt::Checked : Qt::PartiallyChecked;
}

}  // namespace

MaskDialog::MaskDialog(Document& document, const Session& session, int character, QWidget* parent)
    : QDialog(parent),
      document_(document),
      session_(session),
      character_(character),
      masks_(named(new QComboBox, tr("Masks"))),
      name_(named(new QLineEdit, tr("Name of the mask"))),
      remove_(iconButton("trash-2", tr("Remove this mask; its actors move all joints again"),
                         tr("Remove this mask"))),
      joints_(named(new QTreeWidget, tr("Joints"))),
      weightOf_(plainLabel()),
      weight_(named(numberBox(0.0, 1.0, 0.1), tr("Weight"))) {
  numberFieldOf(weight_)->setDefaultNumber(1.0);
  setWindowTitle(tr("Masks"));
  resize(420, 560);
  QToolButton* add = iconButton("plus", tr("Add a mask"));
  name_->setPlaceholderText(tr("Name, like upper body"));
  QLabel* hint = styledLabel("muted");
  hint->setText(
      tr("Ticked joints, with all that hangs below them, follow the second clip of an actor that "
         "has this mask; the others stay with the first. Shown by the method live."));
  hint->setWordWrap(true);
  auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(rowOf({{masks_, 1}, add, remove_}));
  layout->addWidget(name_);
  layout->addWidget(joints_, 1);
  layout->addLayout(rowOf({{weightOf_, 1}, weight_}));
  layout->addWidget(hint);
  layout->addWidget(close);
  connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(add, &QToolButton::clicked, this, &MaskDialog::addMask);
  connect(remove_, &QToolButton::clicked, this, &MaskDialog::removeCurrent);
  connect(masks_, &QComboBox::activated, this, &MaskDialog::showJoints);
  connect(name_, &QLineEdit::editingFinished, this, [this] {
    const auto mask = std::size_t(currentMask());
    if (mask >= document_.project().masks.size()) return;
    const std::string name = utf8Of(name_->text().trimmed());
    document_.edit(tr("Name of a mask"), [&](Project& p) { p.masks[mask].name = name; });
  });
  connect(weight_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    const auto joint = items_.indexOf(joints_->currentItem());
    if (!filling_ && joint >= 0) setWeight(int(joint), float(value));
  });
  joints_->setHeaderLabels({tr("Joint"), tr("Weight")});
  joints_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  joints_->header()->setStretchLastSection(false);
  showNames(*joints_);
  connect(joints_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    if (filling_ || column != 0) return;
    setWeight(int(items_.indexOf(item)), item->checkState(0) == Qt::Checked ? 1.0f : 0.0f);
  });
  connect(joints_, &QTreeWidget::currentItemChanged, this, &MaskDialog::showJoints);
  connect(&session_, &Session::rigsChanged, this, &MaskDialog::fillTree);
  connect(&document, &Document::changed, this, &MaskDialog::showMasks);
  fillTree();
  showMasks();
}

void MaskDialog::fillTree() {
  const QScopedValueRollback<bool> filling(filling_, true);
  const QSignalBlocker quiet(joints_);
  items_.clear();
  joints_->clear();
  if (const CharacterPtr character = session_.character(character_)) {
    for (const Joint& joint : character->rig.joints) {
      auto* item = joint.parent < 0 ? new QTreeWidgetItem(joints_)
                                    : new QTreeWidgetItem(items_[joint.parent]);
      item->setText(0, textOf(joint.name));
      item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
      items_ << item;
    }
  }
  joints_->expandAll();
  showJoints();
}

int MaskDialog::currentMask() const {
  return masks_->currentIndex();
}

void MaskDialog::addMask() {
  // A name that is still being typed belongs to the previous mask.
  name_->clearFocus();
  document_.edit(tr("New mask"), [](Project& p) {
    p.masks.push_back({utf8Of(tr("Mask %1").arg(p.masks.size() + 1)), {}});
  });
  masks_->setCurrentIndex(masks_->count() - 1);
  showJoints();
  name_->setFocus();
  name_->selectAll();
}

void MaskDialog::removeCurrent() {
  name_->clearFocus();
  const int mask = currentMask();
  if (mask < 0) return;
  document_.edit(tr("Mask removed"), [mask](Project& p) { removeMask(p, std::size_t(mask)); });
}

void MaskDialog::setWeight(int joint, float weight) {
  const auto mask = std::size_t(currentMask());
  if (!session_.character(character_) || mask >= document_.project().masks.size()) return;
  const Rig& rig = session_.character(character_)->rig;
  JointMask changed = document_.project().masks[mask];
  changed.parts.push_back({rig.joints[std::size_t(joint)].name, weight, true});
  changed.parts = maskPartsOf(rig, maskWeights(rig, changed));
  document_.edit(
      tr("Joints of %1").arg(nameText(changed.name)), [&](Project& p) { p.masks[mask] = changed; },
      QStringLiteral("mask%1joint%2").arg(mask).arg(joint));
}

void MaskDialog::showMasks() {
  const QScopedValueRollback<bool> filling(filling_, true);
  const int before = std::max(0, currentMask());
  masks_->clear();
  for (const JointMask& mask : document_.project().masks) masks_->addItem(nameText(mask.name));
  masks_->setCurrentIndex(std::min(before, masks_->count() - 1));
  showJoints();
}

void MaskDialog::showJoints() {
  const QScopedValueRollback<bool> filling(filling_, true);
  const auto& masks = document_.project().masks;
  const auto shown = std::size_t(currentMask());
  const bool there = shown < masks.size();
  name_->setEnabled(there);
  remove_->setEnabled(there);
  joints_->setEnabled(there);
  const QTreeWidgetItem* current = joints_->currentItem();
  weight_->setEnabled(there && current);
  weightOf_->setText(current
                         ? tr("Weight of %1 and what hangs below").arg(shownText(current->text(0)))
                         : tr("Choose a joint to weigh it"));
  if (!name_->hasFocus() || !there) name_->setText(there ? textOf(masks[shown].name) : QString());
  if (!session_.character(character_)) return;
  const std::vector<float> weights =
      maskWeights(session_.character(character_)->rig, there ? masks[shown] : JointMask());
  if (weights.size() != std::size_t(items_.size())) return;
  for (int j = 0; j < items_.size(); ++j) {
    const float weight = weights[std::size_t(j)];
    items_[j]->setCheckState(0, stateOf(weight));
    items_[j]->setText(1, weight > 0.0f ? fixedText(double(weight), 2) : QString());
    if (items_[j] == current) weight_->setValue(double(weight));
  }
}

}  // namespace ck::ui
