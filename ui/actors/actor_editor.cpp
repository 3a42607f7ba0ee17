#include "ui/actors/actor_editor.h"

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
#include "ui/parts/number_edit.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

// The arrangement of the fields, row by row.
struct Place {
  const char* title;            // of the column
  const char* label = nullptr;  // label before the field; null if the row's label is sufficient
};
struct FormRow {
  const char* label;
  std::vector<Place> places;
};
const FormRow kRows[] = {
    {QT_TR_NOOP("C&haracter"), {{"Character"}}},
    {QT_TR_NOOP("&Clip"), {{"Clip"}, {"Loop"}}},
    {QT_TR_NOOP("&Offset"), {{"Offset"}, {"Rate", QT_TR_NOOP("&Rate")}}},
    {QT_TR_NOOP("Pla&ys"), {{"Plays"}, {"Since", QT_TR_NOOP("Since")}}},
    {QT_TR_NOOP("&Fade to"), {{"Fade to"}, {"Fade"}}},
    {QT_TR_NOOP("O&ver"), {{"Over"}, {"At", QT_TR_NOOP("At")}, {"Phase"}}},
    {"", {{"Eased"}, {"Mask", QT_TR_NOOP("&Mask")}}},
    {QT_TR_NOOP("&Place"), {{"X"}, {"Y"}, {"Z"}}},
    {QT_TR_NOOP("Rotatio&n"), {{"Tilt"}, {"Turn"}, {"Roll"}}},
    {QT_TR_NOOP("Sc&ale"), {{"Scale"}, {"Tint", QT_TR_NOOP("&Tint")}, {"On"}}},
    {"", {{"Walks"}, {"Radius", QT_TR_NOOP("Radius")}}},
};

// Check boxes and buttons have the width of their text; the other fields share the rest.
QWidget* sideBySide(const QList<QWidget*>& fields) {
  Cells cells;
  for (QWidget* field : fields) {
    const bool own = qobject_cast<QCheckBox*>(field) || qobject_cast<QToolButton*>(field);
    cells.emplace_back(field, own ? 0 : 1);
  }
  return rowWidget(cells);
}

QWidget* labelled(const QString& text, QWidget* field) {
  return rowWidget({labelFor(field, text), {field, 1}});
}

}  // namespace

ActorEditor::ActorEditor(Document& document, ActorModel& model, const ActorFilter& shown,
                         Selection& selection, QWidget* parent)
    : QWidget(parent), document_(document), model_(model), shown_(shown), selection_(selection) {
  auto* form = new QFormLayout(this);
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  std::vector<char> placed(std::size_t(model.columnCount()), 0);
  for (const FormRow& row : kRows) {
    QList<QWidget*> fields;
    for (const Place& place : row.places) {
      const int section = model.sectionOf(QLatin1String(place.title));
      placed[std::size_t(section)] = 1;
      QWidget* field = makeField(model.column(section));
      fields << (place.label ? labelled(tr(place.label), field) : field);
    }
    form->addRow(tr(row.label), fields.size() == 1 ? fields.front() : sideBySide(fields));
  }
  for (int section = 0; section < model.columnCount(); ++section) {
    const ActorColumn& column = model.column(section);
    if (placed[std::size_t(section)] != 0) continue;
    form->addRow(column.kind == ActorKind::Flag ? QString() : columnTitle(column),
                 makeField(column));
  }
  connect(&selection, &Selection::changed, this, &ActorEditor::showSelection);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ActorEditor::showSelection);
  connect(&model, &QAbstractItemModel::modelReset, this, &ActorEditor::showSelection);
  showSelection();
}

QWidget* ActorEditor::makeField(const ActorColumn& column) {
  if (isNumber(column)) return makeNumber(column);
  if (column.kind == ActorKind::Flag) return makeFlag(column);
  if (column.kind == ActorKind::Colour) return makeColour(column);
  if (column.kind != ActorKind::Mask) return makeChoice(column);
  auto* edit = named(new QToolButton, tr("Edit masks"),
                     tr("Say which masks there are and which joints they name"));
  edit->setText(QStringLiteral("..."));
  connect(edit, &QToolButton::clicked, this, &ActorEditor::masksAsked);
  return sideBySide({makeChoice(column), edit});
}

QWidget* ActorEditor::makeChoice(const ActorColumn& column) {
  auto* box = named(new QComboBox, columnTitle(column), columnTip(column));
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(4);
  const int first = int(column.range.low);
  connect(box, &QComboBox::activated, this, [this, &column, first](int index) {
    model_.setActors(selection_.actors(), column, index + first);
  });
  fields_.push_back([this, box, &column, first](const std::vector<int>& actors) {
    if (column.kind == ActorKind::Character) {
      static_cast<QFormLayout*>(layout())->setRowVisible(box, model_.characterCount() > 1);
    }
    const QSignalBlocker blocker(box);
    box->setPlaceholderText(actors.empty() ? QString() : tr("mixed"));
    box->clear();
    // Clips of the first selected actor's character.
    const int character = actors.empty() ? 0 : model_.actor(actors.front()).character;
    box->addItems(model_.choices(column, character));
    box->setCurrentIndex(-1);
    if (actors.empty()) return;
    const double choice = column.get(model_.actor(actors.front()));
    const bool clip = column.kind == ActorKind::Clip;
    const bool same = std::all_of(actors.begin(), actors.end(), [&](int index) {
      const Actor& actor = model_.actor(index);
      return column.get(actor) == choice && (!clip || actor.character == character);
    });
    if (same) box->setCurrentIndex(int(choice) - first);
  });
  return box;
}

QWidget* ActorEditor::makeFlag(const ActorColumn& column) {
  auto* box = new QCheckBox(columnTitle(column));
  box->setToolTip(columnTip(column));
  connect(box, &QCheckBox::clicked, this, [this, box, &column] {
    model_.setActors(selection_.actors(), column, box->checkState() != Qt::Unchecked);
  });
  fields_.push_back([this, box, &column](const std::vector<int>& actors) {
    const auto set = std::count_if(actors.begin(), actors.end(), [&](int actor) {
      return column.get(model_.actor(actor)) != 0.0;
    });
    showFlag(*box, std::size_t(set), actors.size());
  });
  return box;
}

QWidget* ActorEditor::makeColour(const ActorColumn& column) {
  auto* swatch = named(new QPushButton, columnTitle(column), columnTip(column));
  swatch->setObjectName(QStringLiteral("swatch"));
  connect(swatch, &QPushButton::clicked, this, [this, &column] { pickColour(column); });
  fields_.push_back([this, swatch, &column](const std::vector<int>& actors) {
    const double colour = actors.empty() ? 0.0 : column.get(model_.actor(actors.front()));
    const bool same = std::all_of(actors.begin(), actors.end(), [&](int actor) {
      return column.get(model_.actor(actor)) == colour;
    });
    swatch->setText(same ? QString() : tr("mixed"));
    swatch->setStyleSheet(same && !actors.empty() ? QStringLiteral("QPushButton{background:%1;}")
                                                        .arg(QColor::fromRgb(QRgb(colour)).name())
                                                  : QString());
  });
  return swatch;
}

QWidget* ActorEditor::makeNumber(const ActorColumn& column) {
  auto* edit = named(new NumberEdit, columnTitle(column),
                     tr("%1.\nFor many actors: R(0,1) random between, L(0,1) ramp over the "
                        "selection in the table's order, += -= *= /= change what is there")
                         .arg(columnTip(column)));
  edit->setMinimumWidth(44);
  connect(edit, &NumberEdit::entered, this,
          [this, edit, &column](const QString& text) { enterNumber(*edit, column, text); });
  fields_.push_back([this, edit, &column](const std::vector<int>& actors) {
    const auto number = [&](int actor) { return column.get(model_.actor(actor)); };
    edit->showNumbers(actors, number, column.decimals);
  });
  return edit;
}

void ActorEditor::enterNumber(NumberEdit& edit, const ActorColumn& column, const QString& text) {
  const auto formula = edit.read(text, document_.project().randomSeed, column.stream);
  if (!formula) return;
  const std::vector<int> actors = selectedInOrder();
  model_.editActors(actors, column, [&](Actor& actor, std::size_t place) {
    const ActorValue value{column.get(actor), place, actors.size(), std::size_t(actors[place])};
    setNumber(actor, column, (*formula)(value));
  });
  showSelection();
}

// The selected actors in the order of the table, followed by those that the table does not show.
std::vector<int> ActorEditor::selectedInOrder() const {
  std::vector<int> actors = selection_.actors();
  std::ranges::stable_sort(actors, {}, [this](int actor) {
    const int row = shown_.rowOf(actor);
    return row < 0 ? model_.rowCount() : row;
  });
  return actors;
}

void ActorEditor::pickColour(const ActorColumn& column) {
  const std::vector<int>& actors = selection_.actors();
  if (actors.empty()) return;
  const auto first = QRgb(column.get(model_.actor(actors.front())));
  auto* dialog = new QColorDialog(QColor::fromRgb(first), window());
  dialog->setOption(QColorDialog::DontUseNativeDialog);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("%1 of the selected actors").arg(columnTitle(column)));
  connect(dialog, &QColorDialog::colorSelected, this, [this, &column](const QColor& colour) {
    model_.setActors(selection_.actors(), column, colour);
  });
  dialog->open();
}

void ActorEditor::showSelection() {
  const std::vector<int>& actors = selection_.actors();
  setEnabled(!actors.empty());
  setToolTip(actors.empty() ? tr("Select actors first (Ctrl+A selects all)") : QString());
  // The model may be about to shrink, so the selection may be stale.
  if (!actors.empty() && actors.back() >= model_.rowCount()) return;
  for (const auto& show : fields_) show(actors);
}

}  // namespace ck::ui
