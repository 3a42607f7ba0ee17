#include "ui/actors/actor_editor.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/parts/actor_expression.h"
#include "ui/parts/number_edit.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

Qt::CheckState stateOf(std::size_t yes, std::size_t count) {
  return yes == 0 ? Qt::Unchecked : yes == count ? Qt::Checked : Qt::PartiallyChecked;
}

// Fields in one row, the first of which the row's label leads to.
QWidget* sideBySide(const std::vector<QWidget*>& fields) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  for (QWidget* field : fields) layout->addWidget(field, 1);
  row->setFocusProxy(fields.front());
  return row;
}

QWidget* labelled(const QString& text, QWidget* field) {
  auto* label = new QLabel(text);
  label->setBuddy(field);
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(label);
  layout->addWidget(field, 1);
  return row;
}

}  // namespace

ActorEditor::ActorEditor(Document& document, ActorModel& model, const ActorFilter& shown,
                         Selection& selection, QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(model),
      shown_(shown),
      selection_(selection),
      character_(makeChoice(ActorField::Character)),
      clip_(makeChoice(ActorField::Clip)),
      loop_(makeChoice(ActorField::Loop)),
      fadeTo_(makeChoice(ActorField::FadeTo)),
      fadePhase_(makeChoice(ActorField::FadePhase)),
      mask_(makeChoice(ActorField::Mask)) {
  makeLooks();
  auto* form = new QFormLayout(this);
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  form->addRow(tr("C&haracter"), character_);
  form->addRow(tr("&Clip"), sideBySide({clip_, loop_}));
  form->addRow(tr("&Offset"),
               sideBySide({makeNumberRow({ActorField::Offset}, true),
                           labelled(tr("&Rate"), makeNumberRow({ActorField::Rate}, true))}));
  form->addRow(tr("&Fade to"), sideBySide({fadeTo_, makeNumberRow({ActorField::Fade}, true)}));
  form->addRow(tr("O&ver"), makeFadeTime());
  form->addRow(tr("&Place"), makeNumberRow({ActorField::X, ActorField::Y, ActorField::Z}, false));
  form->addRow(tr("Rotatio&n"),
               makeNumberRow({ActorField::TurnX, ActorField::TurnY, ActorField::TurnZ}, false));
  auto* looks = new QWidget;
  auto* row = new QHBoxLayout(looks);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(makeNumberRow({ActorField::Scale}, true), 1);
  row->addWidget(labelled(tr("&Tint"), tint_));
  row->addWidget(walks_);
  row->addWidget(on_);
  looks->setFocusProxy(numbers_.value(int(ActorField::Scale)));
  form->addRow(tr("Sc&ale"), looks);

  connect(&selection, &Selection::changed, this, &ActorEditor::showSelection);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ActorEditor::showSelection);
  connect(&model, &QAbstractItemModel::modelReset, this, &ActorEditor::showSelection);
  showSelection();
}

// How the second clip comes in: over which time, when, from where in it, and where on the body.
QWidget* ActorEditor::makeFadeTime() {
  auto* masks = new QToolButton;
  masks->setText(QStringLiteral("..."));
  masks->setAccessibleName(tr("Edit masks"));
  masks->setToolTip(tr("Say which masks there are and which joints they name"));
  connect(masks, &QToolButton::clicked, this, &ActorEditor::masksAsked);
  auto* when =
      sideBySide({makeNumberRow({ActorField::FadeOver}, true),
                  labelled(tr("At"), makeNumberRow({ActorField::FadeAt}, true)), fadePhase_});
  auto* where = new QWidget;
  auto* row = new QHBoxLayout(where);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(eased_);
  row->addWidget(labelled(tr("&Mask"), mask_), 1);
  row->addWidget(masks);
  auto* both = new QWidget;
  auto* layout = new QVBoxLayout(both);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(when);
  layout->addWidget(where);
  both->setFocusProxy(when->focusProxy());
  return both;
}

QComboBox* ActorEditor::makeChoice(ActorField field) {
  auto* box = new QComboBox;
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(4);
  box->setAccessibleName(fieldTitle(field));
  box->setToolTip(fieldExplanation(field));
  connect(box, &QComboBox::activated, this, [this, field](int index) {
    model_.setActors(selection_.actors(), field, index + firstChoice(field));
  });
  return box;
}

void ActorEditor::showChoice(QComboBox& box, ActorField field) {
  const std::vector<int>& actors = selection_.actors();
  const QSignalBlocker blocker(&box);
  box.setPlaceholderText(actors.empty() ? QString() : tr("mixed"));
  box.clear();
  // Clips are those of the first one's character.
  const int character = actors.empty() ? 0 : model_.actor(actors.front()).character;
  box.addItems(model_.choices(field, character));
  box.setCurrentIndex(-1);
  if (actors.empty()) return;
  const int first = choiceOf(model_.actor(actors.front()), field);
  const bool same = std::all_of(actors.begin(), actors.end(), [&](int index) {
    const Actor& actor = model_.actor(index);
    return choiceOf(actor, field) == first && (!isClip(field) || actor.character == character);
  });
  if (same) box.setCurrentIndex(first - firstChoice(field));
}

void ActorEditor::makeLooks() {
  tint_ = new QPushButton;
  tint_->setObjectName(QStringLiteral("swatch"));
  tint_->setAccessibleName(tr("Tint"));
  tint_->setToolTip(fieldExplanation(ActorField::Tint));
  connect(tint_, &QPushButton::clicked, this, &ActorEditor::pickTint);
  const auto makeTruth = [this](ActorField field) {
    auto* box = new QCheckBox(fieldTitle(field));
    box->setToolTip(fieldExplanation(field));
    connect(box, &QCheckBox::clicked, this, [this, box, field] {
      const bool on = box->checkState() != Qt::Unchecked;
      model_.editActors(selection_.actors(), field,
                        [on, field](Actor& actor, std::size_t) { setTruth(actor, field, on); });
    });
    return box;
  };
  walks_ = makeTruth(ActorField::Walks);
  on_ = makeTruth(ActorField::On);
  eased_ = makeTruth(ActorField::FadeEased);
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
                        "selection in the table's order, += -= *= /= change what is there")
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
  const NumberField& number = *numberField(field);
  const Result<ActorFormula> formula =
      readExpression(text, document_.project().randomSeed, number.stream);
  if (!formula) {
    edit.showWrong(textOf(formula.error().message));
    return;
  }
  const std::vector<int> actors = selectedInOrder();
  model_.editActors(actors, field, [&](Actor& actor, std::size_t place) {
    const ActorValue value{number.get(actor), place, actors.size(), std::size_t(actors[place])};
    setNumber(actor, number, (*formula)(value));
  });
  showNumbers();
}

// As the table has them from the top, then those that it does not show.
std::vector<int> ActorEditor::selectedInOrder() const {
  std::vector<char> selected(std::size_t(model_.rowCount()), 0);
  for (const int actor : selection_.actors()) selected[std::size_t(actor)] = 1;
  std::vector<int> actors;
  actors.reserve(selection_.actors().size());
  for (const int actor : shown_.actors()) {
    if (selected[std::size_t(actor)] != 0) actors.push_back(actor);
  }
  for (const int actor : selection_.actors()) {
    if (shown_.rowOf(actor) < 0) actors.push_back(actor);
  }
  return actors;
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
  auto* form = static_cast<QFormLayout*>(layout());
  const bool several = model_.characterCount() > 1;
  character_->setVisible(several);
  form->labelForField(character_)->setVisible(several);
  showChoice(*character_, ActorField::Character);
  showChoice(*clip_, ActorField::Clip);
  showChoice(*loop_, ActorField::Loop);
  showChoice(*fadeTo_, ActorField::FadeTo);
  showChoice(*fadePhase_, ActorField::FadePhase);
  showChoice(*mask_, ActorField::Mask);
  if (actors.empty()) {
    tint_->setStyleSheet(QString());
    return;
  }
  const Actor& first = model_.actor(actors.front());
  bool sameTint = true;
  for (const int index : actors) sameTint &= model_.actor(index).tint == first.tint;
  tint_->setText(sameTint ? QString() : tr("mixed"));
  tint_->setStyleSheet(
      sameTint
          ? QStringLiteral("QPushButton{background:%1;}").arg(QColor::fromRgb(first.tint).name())
          : QString());
  showTruth(*walks_, ActorField::Walks);
  showTruth(*on_, ActorField::On);
  showTruth(*eased_, ActorField::FadeEased);
}

void ActorEditor::showTruth(QCheckBox& box, ActorField field) {
  const std::vector<int>& actors = selection_.actors();
  const auto yes = std::size_t(std::count_if(actors.begin(), actors.end(), [&](int actor) {
    return truthOf(model_.actor(actor), field);
  }));
  box.setTristate(yes != 0 && yes != actors.size());
  box.setCheckState(stateOf(yes, actors.size()));
}

}  // namespace ck::ui
