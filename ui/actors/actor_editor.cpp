#include "ui/actors/actor_editor.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/column_edits.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/parts/number_edit.h"
#include "ui/parts/panel_parts.h"
#include "ui/parts/scrub_drag.h"

namespace ck::ui {
namespace {

// The arrangement of the fields: groups that are shown or folded away, row by row.
struct Place {
  const char* title;            // of the column
  const char* label = nullptr;  // label before the field; null if the row's label is sufficient
};
struct FormRow {
  const char* label;
  std::vector<Place> places;
};
struct FormGroup {
  const char* key;  // in the settings
  const char* title;
  bool open;  // at first
  std::vector<FormRow> rows;
};
const FormGroup kGroups[] = {
    {"clip",
     QT_TR_NOOP("Clip"),
     true,
     {{QT_TR_NOOP("C&haracter"), {{"Character"}}},
      {QT_TR_NOOP("&Clip"), {{"Clip"}, {"Loop"}}},
      {QT_TR_NOOP("&Offset"), {{"Offset"}, {"Rate", QT_TR_NOOP("&Rate")}}}}},
    {"place",
     QT_TR_NOOP("Place"),
     false,
     {{QT_TR_NOOP("&Place"), {{"X"}, {"Y", QT_TR_NOOP("Y")}, {"Z", QT_TR_NOOP("Z")}}},
      {QT_TR_NOOP("T&ilt"), {{"Tilt"}, {"Turn", QT_TR_NOOP("Turn")}, {"Roll", QT_TR_NOOP("Roll")}}},
      {QT_TR_NOOP("&Group"), {{"Group"}, {"By hand"}}}}},
    {"look",
     QT_TR_NOOP("Look"),
     false,
     {{QT_TR_NOOP("Sc&ale"), {{"Scale"}, {"Tint", QT_TR_NOOP("&Tint")}, {"On"}}}}},
    {"walk", QT_TR_NOOP("Walk"), false, {{"", {{"Walks"}, {"Radius", QT_TR_NOOP("Radius")}}}}},
    {"fade",
     QT_TR_NOOP("Fade"),
     false,
     {{QT_TR_NOOP("&Fade to"), {{"Fade to"}, {"Fade", QT_TR_NOOP("Fade")}}},
      {QT_TR_NOOP("O&ver"), {{"Over"}, {"At", QT_TR_NOOP("At")}, {"Phase"}}},
      {"", {{"Eased"}, {"Mask", QT_TR_NOOP("&Mask")}}}}},
};

// The step that a drag on a label adds.
double stepOf(const ActorColumn& column) {
  if (column.kind == ActorKind::Whole) return 1.0;
  if (column.unit == "degrees") return 5.0;
  return column.unit == "metres" || column.unit == "seconds" ? 0.1 : 0.05;
}

// The key of the edits that a drag on the column's label makes.
QString dragKey(const ActorColumn& column) {
  return QStringLiteral("actors/drag/%1").arg(columnTitle(column));
}

// Check boxes and buttons have the width of their text; the other fields share the rest.
QWidget* sideBySide(const QList<QWidget*>& fields) {
  Cells cells;
  for (QWidget* field : fields) {
    const bool own = qobject_cast<QCheckBox*>(field) || qobject_cast<QToolButton*>(field);
    cells.emplace_back(field, own ? 0 : 1);
  }
  return rowWidget(cells);
}

}  // namespace

ActorEditor::ActorEditor(Document& document, ActorModel& model, const ActorFilter& shown,
                         Selection& selection, QWidget* parent)
    : QWidget(parent), document_(document), model_(model), shown_(shown), selection_(selection) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  switches_ = new QHBoxLayout;
  switches_->setSpacing(4);
  column->addLayout(switches_);
  std::vector<char> placed(std::size_t(model.columnCount()), 0);
  for (const FormGroup& group : kGroups) {
    QFormLayout* form = addGroup(QLatin1String(group.key), tr(group.title), group.open);
    for (const FormRow& row : group.rows) {
      QList<QWidget*> fields;
      QLabel* rowLabel = plainLabel(tr(row.label));
      for (const Place& place : row.places) {
        const int section = model.sectionOf(QLatin1String(place.title));
        placed[std::size_t(section)] = 1;
        const ActorColumn& one = model.column(section);
        QWidget* field = makeField(one);
        if (place.label) {
          QLabel* label = labelFor(field, tr(place.label));
          serveLabel(*label, one);
          field = rowWidget({label, {field, 1}});
        } else if (fields.isEmpty()) {
          serveLabel(*rowLabel, one);
        }
        fields << field;
      }
      QWidget* whole = fields.size() == 1 ? fields.front() : sideBySide(fields);
      rowLabel->setBuddy(whole);
      form->addRow(rowLabel, whole);
    }
  }
  QFormLayout* more = nullptr;
  for (int section = 0; section < model.columnCount(); ++section) {
    const ActorColumn& one = model.column(section);
    if (placed[std::size_t(section)] != 0) continue;
    if (!more) more = addGroup(QStringLiteral("more"), tr("More"), false);
    QWidget* field = makeField(one);
    auto* label = labelFor(field, one.kind == ActorKind::Flag ? QString() : columnTitle(one));
    serveLabel(*label, one);
    more->addRow(label, field);
  }
  switches_->addStretch(1);
  connect(&selection, &Selection::changed, this, &ActorEditor::showSelection);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ActorEditor::showSelection);
  connect(&model, &QAbstractItemModel::modelReset, this, &ActorEditor::showSelection);
  showSelection();
}

QFormLayout* ActorEditor::addGroup(const QString& key, const QString& title, bool open) {
  auto* fields = new QWidget;
  groups_.push_back({fields, {}});
  auto* form = new QFormLayout(fields);
  form->setContentsMargins(0, 0, 0, 2);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* button = named(new QToolButton, tr("%1 fields").arg(title),
                       tr("Show or hide the fields of %1").arg(title.toLower()));
  button->setObjectName(QStringLiteral("chip"));
  button->setText(title);
  button->setCheckable(true);
  const QString kept = QStringLiteral("actors/fields/") + key;
  button->setChecked(QSettings().value(kept, open).toBool());
  fields->setVisible(button->isChecked());
  connect(button, &QToolButton::toggled, fields, [this, fields, kept](bool shown) {
    QSettings().setValue(kept, shown);
    fields->setVisible(shown);
    showSelection();
  });
  switches_->addWidget(button);
  layout()->addWidget(fields);
  return form;
}

// A label offers the edits of its column, and is dragged to change a number of all selected actors
// by the same amount.
void ActorEditor::serveLabel(QLabel& label, const ActorColumn& column) {
  label.setContextMenuPolicy(Qt::CustomContextMenu);
  connect(&label, &QWidget::customContextMenuRequested, this,
          [this, &label, &column](const QPoint& place) {
            QMenu* menu = makeColumnMenu(column);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->popup(label.mapToGlobal(place));
          });
  if (!isNumber(column)) return;
  label.setToolTip(tr("Drag left or right: all selected change by the same amount. Shift: fine, "
                      "Ctrl: steps of %1, Esc: back. Right click: more")
                       .arg(stepOf(column)));
  auto* drag = new ScrubDrag(&label);
  connect(drag, &ScrubDrag::started, this, [this] {
    document_.endMerge();
    dragged_ = selection_.actors();
    before_ = document_.project().actors;
  });
  connect(drag, &ScrubDrag::moved, this,
          [this, &column](double steps) { shift(column, steps * stepOf(column)); });
  connect(drag, &ScrubDrag::finished, &document_, &Document::endMerge);
  connect(drag, &ScrubDrag::cancelled, &document_,
          [this, &column] { document_.takeBack(dragKey(column)); });
}

// From the values that the actors had when the drag began, so that what is brought into the range
// on the way comes back.
void ActorEditor::shift(const ActorColumn& column, double by) {
  model_.editActors(
      dragged_, column,
      [&](Actor& actor, std::size_t place) {
        const double start = column.get(before_[std::size_t(dragged_[place])]);
        by == 0.0 ? column.set(actor, start) : setNumber(actor, column, start + by);
      },
      dragKey(column));
}

QMenu* ActorEditor::makeColumnMenu(const ActorColumn& column) {
  auto* menu = new QMenu(this);
  addColumnActions(*menu, {document_, model_, column, shown_.inOrder(selection_.actors())},
                   columnTitle(column), this);
  return menu;
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
  groups_.back().shows.push_back([this, box, &column, first](const std::vector<int>& actors) {
    if (column.kind == ActorKind::Character || column.kind == ActorKind::Crowd) {
      auto* form = qobject_cast<QFormLayout*>(box->parentWidget()->layout());
      if (form) form->setRowVisible(box, model_.choiceCount(column, 0) > 1);
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
  groups_.back().shows.push_back([this, box, &column](const std::vector<int>& actors) {
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
  groups_.back().shows.push_back([this, swatch, &column](const std::vector<int>& actors) {
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
                        "selection in the table's order, += -= *= /= change what is there; x y z "
                        "(place), r a (radius and angle about the crowd's middle), i n (number, "
                        "how many), g c (group, crowd), noise(x,z), look(x,z), floor min max sin "
                        "cos if")
                         .arg(columnTip(column)));
  edit->setMinimumWidth(44);
  connect(edit, &NumberEdit::entered, this,
          [this, edit, &column](const QString& text) { enterNumber(*edit, column, text); });
  groups_.back().shows.push_back([this, edit, &column](const std::vector<int>& actors) {
    const auto number = [&](int actor) { return column.get(model_.actor(actor)); };
    edit->showNumbers(actors, number, column.decimals);
  });
  return edit;
}

void ActorEditor::enterNumber(NumberEdit& edit, const ActorColumn& column, const QString& text) {
  const auto formula = edit.read(text, document_.project().randomSeed, column.stream);
  if (!formula) return;
  model_.applyFormula(shown_.inOrder(selection_.actors()), column, *formula);
  showSelection();
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
  // The model may be about to shrink, so the selection may be stale.
  if (!actors.empty() && actors.back() >= model_.rowCount()) return;
  // Reading all fields of that many actors takes too long for the GUI thread, so groups that are
  // folded away are filled when they are opened.
  constexpr std::size_t kMany = 1000;
  for (const Group& group : groups_) {
    if (actors.size() > kMany && group.fields->isHidden()) continue;
    for (const auto& show : group.shows) show(actors);
  }
}

}  // namespace ck::ui
