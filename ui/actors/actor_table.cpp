#include "ui/actors/actor_table.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QItemSelection>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>

#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/document/selection.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

constexpr int kRowPixels = 24;
constexpr int kTitleMargin = 20;  // of a header's cell
// The maximum number of selected ranges that Qt gets, for screen readers. Qt compares all pairs of
// ranges, so with more ranges it gets none.
constexpr int kMostRuns = 256;

// Shows and edits the cells of the actors table by the kind of their column: a list of words, a
// number box with the column's range, a colour.
class ActorDelegate : public QStyledItemDelegate {
 public:
  ActorDelegate(const ActorFilter& shown, ActorModel& model, const Selection& selection,
                QObject* parent)
      : QStyledItemDelegate(parent), shown_(shown), model_(model), selection_(selection) {}

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  void setModelData(QWidget* editor, QAbstractItemModel* model,
                    const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 protected:
  // The selected state is that of the Selection.
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 private:
  const ActorColumn& columnOf(const QModelIndex& index) const {
    return model_.column(index.column());
  }
  int actorOf(const QModelIndex& index) const { return shown_.mapToSource(index).row(); }

  // A value typed into a cell of the selection applies to the whole selection.
  void enter(const QModelIndex& index, const QVariant& value) const {
    const int actor = actorOf(index);
    const bool selected = selection_.contains(actor);
    model_.setActors(selected ? selection_.actors() : std::vector{actor}, columnOf(index), value,
                     actor);
  }

  const ActorFilter& shown_;
  ActorModel& model_;
  const Selection& selection_;
};

void ActorDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const bool selected = selection_.contains(actorOf(index));
  option->state.setFlag(QStyle::State_Selected, selected);
  // White on the selection's blue, whatever the cell's colour.
  if (selected) option->palette.setBrush(QPalette::Text, option->palette.highlightedText());
}

QWidget* ActorDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                     const QModelIndex& index) const {
  const ActorColumn& column = columnOf(index);
  if (isChoice(column)) {
    auto* box = named(new QComboBox(parent), columnTitle(column));
    box->addItems(model_.choices(column, model_.actor(actorOf(index)).character));
    return box;
  }
  if (isNumber(column)) {
    auto* box = named(new QDoubleSpinBox(parent), columnTitle(column));
    box->setRange(column.range.low, column.range.high);
    box->setDecimals(column.kind == ActorKind::Whole ? 0 : 3);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setFrame(false);
    return box;
  }
  if (column.kind == ActorKind::Colour) return named(new QLineEdit(parent), columnTitle(column));
  return QStyledItemDelegate::createEditor(parent, option, index);
}

void ActorDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  const QVariant value = index.data(Qt::EditRole);
  if (auto* box = qobject_cast<QComboBox*>(editor)) {
    box->setCurrentIndex(value.toInt() - int(columnOf(index).range.low));
  } else if (auto* number = qobject_cast<QDoubleSpinBox*>(editor)) {
    number->setValue(value.toDouble());
  } else if (auto* line = qobject_cast<QLineEdit*>(editor)) {
    line->setText(value.value<QColor>().name());
  }
}

void ActorDelegate::setModelData(QWidget* editor, QAbstractItemModel*,
                                 const QModelIndex& index) const {
  QVariant value;
  if (const auto* box = qobject_cast<QComboBox*>(editor)) {
    value = box->currentIndex() + int(columnOf(index).range.low);
    if (value == index.data(Qt::EditRole)) return;
  } else if (auto* number = qobject_cast<QDoubleSpinBox*>(editor)) {
    number->interpretText();
    value = number->value();
    // Leaving a cell unchanged must not round the stored value.
    if (std::abs(value.toDouble() - index.data(Qt::EditRole).toDouble()) < 0.0005) return;
  } else if (const auto* line = qobject_cast<QLineEdit*>(editor)) {
    value = QColor(line->text());
  }
  enter(index, value);
}

// A click on a check box applies to the whole selection, so the model is not changed directly.
bool ActorDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                const QStyleOptionViewItem& option, const QModelIndex& index) {
  if (!(index.flags() & Qt::ItemIsUserCheckable)) {
    return QStyledItemDelegate::editorEvent(event, model, option, index);
  }
  bool toggled = false;
  if (event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QRect box = item.widget->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator,
                                                           &item, item.widget);
    toggled = mouse->button() == Qt::LeftButton && box.contains(mouse->pos());
  } else if (event->type() == QEvent::KeyPress) {
    toggled = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
  }
  if (!toggled) return false;
  enter(index, index.data(Qt::CheckStateRole).toInt() != Qt::Checked);
  return true;
}

void ActorDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  if (columnOf(index).kind != ActorKind::Colour) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  QStyleOptionViewItem plain = option;
  initStyleOption(&plain, index);
  plain.text.clear();
  plain.icon = {};
  plain.features &= ~QStyleOptionViewItem::HasDecoration;
  plain.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
  const QRectF cell(option.rect);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QColor(0, 0, 0, 120));
  painter->setBrush(index.data(Qt::DecorationRole).value<QColor>());
  const QPointF middle = cell.center();
  painter->drawRoundedRect(QRectF(middle.x() - 12, middle.y() - 6, 24, 12), 3, 3);
  painter->restore();
}

}  // namespace

ActorTable::ActorTable(ActorModel& model, ActorFilter& shown, Selection& selection, QWidget* parent)
    : QTableView(parent), model_(model), shown_(shown), selection_(selection) {
  setModel(&shown);
  setItemDelegate(new ActorDelegate(shown, model, selection, this));
  setAccessibleName(tr("Actors"));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::NoSelection);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setWordWrap(false);
  setTextElideMode(Qt::ElideMiddle);
  setTabKeyNavigation(false);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                  QAbstractItemView::AnyKeyPressed);
  makeHeaders();
  collapse_.setSingleShot(true);
  connect(&collapse_, &QTimer::timeout, this, [this] {
    if (anchorActor_ >= 0 && state() != EditingState) selection_.set({anchorActor_});
  });
  connect(&selection, &Selection::changed, this, &ActorTable::followSelection);
  connect(&shown, &QAbstractItemModel::modelReset, this, &ActorTable::mirrorSelection);
  connect(&shown, &QAbstractItemModel::modelReset, this, &ActorTable::showCharacters);
  mirrorSelection();
  showCharacters();
}

void ActorTable::makeHeaders() {
  // A fixed row height avoids measuring a hundred thousand rows.
  QHeaderView& rows = *verticalHeader();
  rows.setSectionResizeMode(QHeaderView::Fixed);
  rows.setDefaultSectionSize(kRowPixels);
  rows.setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  rows.setHighlightSections(false);
  connect(&rows, &QHeaderView::sectionPressed, this,
          [this](int row) { pressRow(row, QApplication::keyboardModifiers()); });
  connect(&rows, &QHeaderView::sectionEntered, this, [this](int row) { selectUpTo(row, false); });
  QHeaderView& header = *horizontalHeader();
  header.setHighlightSections(false);
  header.setMinimumSectionSize(36);
  header.setSectionsMovable(true);
  // The third click on a header restores the project's order.
  header.setSortIndicatorClearable(true);
  setSortingEnabled(true);
  sortByColumn(-1, Qt::AscendingOrder);
  for (int section = 0; section < shown_.columnCount(); ++section) {
    const ActorColumn& column = model_.column(section);
    const bool name = column.kind == ActorKind::Clip || column.kind == ActorKind::Character;
    const int value = isNumber(column) ? 66 : isChoice(column) ? 76 : 42;
    const int title = fontMetrics().horizontalAdvance(columnTitle(column)) + kTitleMargin;
    setColumnWidth(section, name && column.range.low >= 0.0 ? 96 : qMax(value, title));
    if (column.kind == ActorKind::Character) header.moveSection(section, 0);
  }
}

// The character column is hidden if there is only one character.
void ActorTable::showCharacters() {
  for (int section = 0; section < shown_.columnCount(); ++section) {
    if (model_.column(section).kind != ActorKind::Character) continue;
    setColumnHidden(section, model_.characterCount() == 1);
  }
}

int ActorTable::actorAt(int row) const {
  return std::size_t(row) < shown_.actors().size() ? shown_.actors()[std::size_t(row)] : -1;
}

void ActorTable::selectAll() {
  selection_.set(shown_.actors());
}

void ActorTable::pressRow(int row, Qt::KeyboardModifiers modifiers) {
  const int actor = actorAt(row);
  if (actor < 0) return;
  const QScopedValueRollback changing(changing_, true);
  const bool toggle = modifiers & Qt::ControlModifier;
  if (modifiers & Qt::ShiftModifier) {
    selectUpTo(row, toggle);
  } else if (toggle) {
    anchorActor_ = actor;
    selection_.toggle(actor);
  } else {
    anchorActor_ = actor;
    selection_.set({actor});
  }
}

// From the first pressed row to this row, in the displayed order.
void ActorTable::selectUpTo(int row, bool add) {
  if (actorAt(row) < 0) return;
  const int anchorRow = shown_.rowOf(anchorActor_);
  const int from = anchorRow < 0 ? row : anchorRow;
  const auto& actors = shown_.actors();
  const auto [first, last] = std::minmax(from, row);
  std::vector<int> run(actors.begin() + first, actors.begin() + last + 1);
  const QScopedValueRollback changing(changing_, true);
  if (add) {
    selection_.add(run);
  } else {
    selection_.set(std::move(run));
  }
}

void ActorTable::mousePressEvent(QMouseEvent* event) {
  const QModelIndex pressed = indexAt(event->pos());
  QTableView::mousePressEvent(event);
  if (event->button() != Qt::LeftButton || !pressed.isValid()) return;
  // A press on a cell of several selected actors keeps the selection, because a double click edits
  // them all.
  const bool kept = event->modifiers() == Qt::NoModifier &&
                    selection_.contains(actorAt(pressed.row())) && selection_.actors().size() > 1;
  draggedRow_ = pressed.row();
  if (kept) {
    anchorActor_ = actorAt(pressed.row());
    // Ignore the second press of a double click.
    if (collapse_.isActive()) {
      collapse_.stop();
    } else {
      collapse_.start(QApplication::doubleClickInterval());
    }
    return;
  }
  pressRow(pressed.row(), event->modifiers());
}

void ActorTable::mouseMoveEvent(QMouseEvent* event) {
  QTableView::mouseMoveEvent(event);
  if (!(event->buttons() & Qt::LeftButton) || draggedRow_ < 0) return;
  const int row = rowAt(event->pos().y());
  if (row < 0 || row == draggedRow_) return;
  draggedRow_ = row;
  collapse_.stop();
  scrollTo(shown_.index(row, currentIndex().isValid() ? currentIndex().column() : 0));
  selectUpTo(row, event->modifiers() & Qt::ControlModifier);
}

void ActorTable::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  draggedRow_ = -1;
}

void ActorTable::mouseDoubleClickEvent(QMouseEvent* event) {
  QTableView::mouseDoubleClickEvent(event);
  collapse_.stop();
}

void ActorTable::keyPressEvent(QKeyEvent* event) {
  const int before = currentIndex().row();
  const bool control = event->modifiers() & Qt::ControlModifier;
  if (control && event->key() == Qt::Key_Space) {
    pressRow(before, Qt::ControlModifier);
    return;
  }
  QTableView::keyPressEvent(event);
  const int now = currentIndex().row();
  if (now == before || state() == EditingState) return;
  // With Ctrl, arrow keys only move the current row.
  if (!control || (event->modifiers() & Qt::ShiftModifier)) {
    pressRow(now, event->modifiers() & ~Qt::ControlModifier);
  }
}

void ActorTable::followSelection() {
  mirrorSelection();
  if (changing_ || selection_.actors().size() != 1) return;
  anchorActor_ = selection_.actors().front();
  const int row = shown_.rowOf(anchorActor_);
  if (row >= 0) scrollTo(shown_.index(row, 0));
}

void ActorTable::mirrorSelection() {
  std::vector<char> selected(std::size_t(model_.rowCount()), 0);
  for (const int actor : selection_.actors()) {
    if (std::size_t(actor) < selected.size()) selected[std::size_t(actor)] = 1;
  }
  QItemSelection runs;
  const int count = shown_.rowCount();
  for (int row = 0; row < count && runs.size() <= kMostRuns; ++row) {
    if (selected[std::size_t(actorAt(row))] == 0) continue;
    const int first = row;
    while (row + 1 < count && selected[std::size_t(actorAt(row + 1))] != 0) ++row;
    runs.append(
        QItemSelectionRange(shown_.index(first, 0), shown_.index(row, shown_.columnCount() - 1)));
  }
  if (runs.size() > kMostRuns) runs.clear();
  selectionModel()->select(runs, QItemSelectionModel::ClearAndSelect);
  viewport()->update();
}

}  // namespace ck::ui
