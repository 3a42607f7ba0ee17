#include "ui/actors/actor_table.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QItemSelection>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>

#include "ui/actors/actor_delegate.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/column_choice.h"
#include "ui/document/selection.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

constexpr int kRowPixels = 22;
constexpr int kTitleMargin = 20;  // of a header's cell
// The maximum number of selected ranges that Qt gets, for screen readers. Qt compares all pairs of
// ranges, so with more ranges it gets none.
constexpr int kMostRuns = 256;

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
  columns_ = new ColumnChoice(model, *this);
  connect(&shown, &QAbstractItemModel::modelReset, columns_, &ColumnChoice::apply);
  mirrorSelection();
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
  rows.setContextMenuPolicy(Qt::CustomContextMenu);
  connect(&rows, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
    askRowMenu(verticalHeader()->mapToGlobal(place), rowAt(place.y()), -1);
  });
  QHeaderView& header = *horizontalHeader();
  header.setHighlightSections(false);
  header.setMinimumSectionSize(36);
  header.setSectionsMovable(true);
  header.setContextMenuPolicy(Qt::CustomContextMenu);
  connect(&header, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
    emit headerMenuAsked(horizontalHeader()->mapToGlobal(place),
                         horizontalHeader()->logicalIndexAt(place));
  });
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
  if (state() != EditingState && takeText(*event)) return;
  QTableView::keyPressEvent(event);
  const int now = currentIndex().row();
  if (now == before || state() == EditingState) return;
  // With Ctrl, arrow keys only move the current row.
  if (!control || (event->modifiers() & Qt::ShiftModifier)) {
    pressRow(now, event->modifiers() & ~Qt::ControlModifier);
  }
}

// Qt would edit by every letter, or look for a row that begins with it: letters are the tools'
// keys.
bool ActorTable::takeText(QKeyEvent& event) {
  const QModelIndex cell = currentIndex();
  const bool enters = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (enters && (event.modifiers() & ~Qt::KeypadModifier)) return false;
  if (enters) return cell.isValid() && edit(cell, EditKeyPressed, &event);
  const QString text = event.text();
  const bool isText = text.size() == 1 && text[0].isPrint() && !text[0].isSpace();
  if (!isText || (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier))) return false;
  const bool begins = QStringLiteral("0123456789+-=.(*/").contains(text);
  if (begins && cell.isValid() && isNumber(model_.column(cell.column()))) {
    edit(cell, AnyKeyPressed, &event);
  } else {
    event.ignore();
  }
  return true;
}

// By mouse for what is under it, which is selected first; by key for the current cell.
void ActorTable::contextMenuEvent(QContextMenuEvent* event) {
  const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
  const QModelIndex index = byMouse ? indexAt(event->pos()) : currentIndex();
  const QPoint place =
      byMouse ? event->globalPos() : viewport()->mapToGlobal(visualRect(index).bottomLeft());
  collapse_.stop();
  askRowMenu(place, index.row(), index.column());
}

void ActorTable::askRowMenu(const QPoint& place, int row, int section) {
  const int actor = actorAt(row);
  if (actor >= 0 && !selection_.contains(actor)) pressRow(row, Qt::NoModifier);
  emit rowMenuAsked(place, section);
}

void ActorTable::followSelection() {
  mirrorSelection();
  if (changing_ || selection_.actors().size() != 1) return;
  anchorActor_ = selection_.actors().front();
  const int row = shown_.rowOf(anchorActor_);
  if (row >= 0) scrollTo(shown_.index(row, 0));
}

bool ActorTable::isDragged() const {
  return draggedRow_ >= 0 && QApplication::mouseButtons() != Qt::NoButton;
}

void ActorTable::showAnchor() {
  const int row = shown_.rowOf(anchorActor_);
  if (row < 0 || !selection_.contains(anchorActor_)) return;
  const int column = currentIndex().row() == row ? currentIndex().column() : -1;
  const QModelIndex cell = shown_.index(row, std::max(column, 0));
  // Sideways nothing moves.
  const int left = horizontalScrollBar()->value();
  scrollTo(cell);
  horizontalScrollBar()->setValue(left);
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
