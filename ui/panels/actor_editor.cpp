#include "ui/panels/actor_editor.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/models/actor_expression.h"
#include "ui/models/actor_model.h"
#include "ui/panels/number_edit.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

Qt::CheckState stateOf(std::size_t yes, std::size_t count) {
  return yes == 0 ? Qt::Unchecked : yes == count ? Qt::Checked : Qt::PartiallyChecked;
}

}  // namespace

ActorEditor::ActorEditor(Document& document, ActorModel& model, Selection& selection,
                         QWidget* parent)
    : QWidget(parent), document_(document), model_(model), selection_(selection) {
  makeChoices();
  auto* form = new QFormLayout(this);
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  form->addRow(tr("&Clip"), clip_);
  form->addRow(tr("&Offset"), makeNumberRow({ActorField::Offset}, true));
  form->addRow(tr("&Rate"), makeNumberRow({ActorField::Rate}, true));
  form->addRow(tr("&Place"), makeNumberRow({ActorField::X, ActorField::Y, ActorField::Z}, false));
  form->addRow(tr("Rotatio&n"),
               makeNumberRow({ActorField::TurnX, ActorField::TurnY, ActorField::TurnZ}, false));
  form->addRow(tr("Sc&ale"), makeNumberRow({ActorField::Scale}, true));
  auto* looks = new QWidget;
  auto* row = new QHBoxLayout(looks);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(14);
  row->addWidget(tint_);
  row->addWidget(walks_);
  row->addWidget(on_);
  row->addStretch(1);
  looks->setFocusProxy(tint_);
  form->addRow(tr("&Tint"), looks);

  connect(&selection, &Selection::changed, this, &ActorEditor::showSelection);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ActorEditor::showSelection);
  connect(&model, &QAbstractItemModel::modelReset, this, &ActorEditor::showSelection);
  showSelection();
}

void ActorEditor::makeChoices() {
  clip_ = new QComboBox;
  clip_->setMinimumContentsLength(8);
  connect(clip_, &QComboBox::activated, this, [this](int clip) {
    model_.editActors(selection_.actors(), ActorField::Clip,
                      [clip](Actor& actor, std::size_t) { actor.clip = clip; });
  });
  tint_ = new QPushButton;
  tint_->setObjectName(QStringLiteral("swatch"));
  tint_->setAccessibleName(tr("Tint"));
  tint_->setToolTip(fieldExplanation(ActorField::Tint));
  connect(tint_, &QPushButton::clicked, this, &ActorEditor::pickTint);
  const auto makeTruth = [this](ActorField field, bool Actor::*member) {
    auto* box = new QCheckBox(fieldTitle(field));
    box->setToolTip(fieldExplanation(field));
    connect(box, &QCheckBox::clicked, this, [this, box, field, member] {
      const bool on = box->checkState() != Qt::Unchecked;
      model_.editActors(selection_.actors(), field,
                        [on, member](Actor& actor, std::size_t) { actor.*member = on; });
    });
    return box;
  };
  walks_ = makeTruth(ActorField::Walks, &Actor::travels);
  on_ = makeTruth(ActorField::On, &Actor::on);
}

QWidget* ActorEditor::makeNumberRow(const std::vector<ActorField>& fields, bool titled) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  for (const ActorField field : fields) {
    auto* edit = new NumberEdit;
    edit->setAccessibleName(fieldTitle(field));
    edit->setToolTip(tr("%1.\nFor many actors: R(0,1) random between, L(0,1) ramp over the "
                        "selection, += -= *= /= change what is there")
                         .arg(fieldExplanation(field)));
    edit->setMinimumWidth(44);
    connect(edit, &NumberEdit::entered, this,
            [this, field](const QString& text) { enterNumber(field, text); });
    numbers_.insert(int(field), edit);
    layout->addWidget(edit, 1);
  }
  if (!titled) row->setToolTip(tr("X, Y, Z"));
  row->setFocusProxy(numbers_.value(int(fields.front())));
  return row;
}

void ActorEditor::enterNumber(ActorField field, const QString& text) {
  NumberEdit& edit = *numbers_.value(int(field));
  const Result<ActorFormula> formula = readExpression(text, document_.project().spawn.seed);
  if (!formula) {
    edit.showWrong(textOf(formula.error().message));
    return;
  }
  const std::vector<int> actors = selection_.actors();
  const NumberField& number = *numberField(field);
  model_.editActors(actors, field, [&](Actor& actor, std::size_t place) {
    const ActorValue value{number.get(actor), place, actors.size(), std::size_t(actors[place])};
    setNumber(actor, number, (*formula)(value));
  });
  showNumbers();
}

void ActorEditor::pickTint() {
  const std::vector<int>& actors = selection_.actors();
  if (actors.empty()) return;
  auto* dialog = new QColorDialog(QColor::fromRgb(model_.actor(actors.front()).tint), window());
  dialog->setOption(QColorDialog::DontUseNativeDialog);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Tint of the selected actors"));
  connect(dialog, &QColorDialog::colorSelected, this, [this](const QColor& color) {
    model_.editActors(selection_.actors(), ActorField::Tint,
                      [&](Actor& actor, std::size_t) { actor.tint = color.rgb() & 0xffffff; });
  });
  dialog->open();
}

void ActorEditor::showNumbers() {
  const std::vector<int>& actors = selection_.actors();
  for (auto it = numbers_.cbegin(); it != numbers_.cend(); ++it) {
    if (actors.empty()) {
      it.value()->showNothing();
      continue;
    }
    const NumberField& number = *numberField(ActorField(it.key()));
    double low = number.get(model_.actor(actors.front()));
    double high = low;
    for (const int actor : actors) {
      const double value = number.get(model_.actor(actor));
      low = std::min(low, value);
      high = std::max(high, value);
    }
    it.value()->showRange(low, high, number.decimals);
  }
}

void ActorEditor::showSelection() {
  const std::vector<int>& actors = selection_.actors();
  setEnabled(!actors.empty());
  setToolTip(actors.empty() ? tr("Select actors first (Ctrl+A selects all)") : QString());
  // The model may be about to shrink below a stale selection.
  if (!actors.empty() && actors.back() >= model_.rowCount()) return;
  showNumbers();
  const QSignalBlocker blocker(clip_);
  clip_->setPlaceholderText(actors.empty() ? QString() : tr("mixed"));
  clip_->clear();
  clip_->addItems(model_.clipNames());
  clip_->setCurrentIndex(-1);
  if (actors.empty()) {
    tint_->setStyleSheet(QString());
    return;
  }
  const Actor& first = model_.actor(actors.front());
  bool sameClip = true;
  bool sameTint = true;
  std::size_t walking = 0;
  std::size_t shown = 0;
  for (const int index : actors) {
    const Actor& actor = model_.actor(index);
    sameClip &= actor.clip == first.clip;
    sameTint &= actor.tint == first.tint;
    walking += actor.travels ? 1 : 0;
    shown += actor.on ? 1 : 0;
  }
  if (sameClip) clip_->setCurrentIndex(first.clip);
  tint_->setText(sameTint ? QString() : tr("mixed"));
  tint_->setStyleSheet(
      sameTint
          ? QStringLiteral("QPushButton{background:%1;}").arg(QColor::fromRgb(first.tint).name())
          : QString());
  walks_->setTristate(walking != 0 && walking != actors.size());
  walks_->setCheckState(stateOf(walking, actors.size()));
  on_->setTristate(shown != 0 && shown != actors.size());
  on_->setCheckState(stateOf(shown, actors.size()));
}

}  // namespace ck::ui
