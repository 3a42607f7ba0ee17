#include "ui/actors/column_choice.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSettings>
#include <QTableView>

#include "ui/actors/actor_model.h"
#include "ui/document/text.h"
#include "ui/parts/tick_menu.h"

namespace ck::ui {
namespace {

QString hiddenKey() {
  return QStringLiteral("actors/hiddenColumns");
}

QString orderKey() {
  return QStringLiteral("actors/columnOrder");
}

}  // namespace

ColumnChoice::ColumnChoice(ActorModel& model, QTableView& table)
    : QObject(&table), model_(model), table_(table) {
  const QSettings settings;
  hidden_ = settings.value(hiddenKey()).toStringList();
  order(settings.value(orderKey()).toStringList());
  connect(table.horizontalHeader(), &QHeaderView::sectionMoved, this, [this] {
    if (!ordering_) keep();
  });
  apply();
}

QString ColumnChoice::titleOf(int section) const {
  return textOf(model_.column(section).title);
}

// Columns that are not named stay behind those that are; characters are first at first.
void ColumnChoice::order(const QStringList& titles) {
  const QScopedValueRollback ordering(ordering_, true);
  QHeaderView& header = *table_.horizontalHeader();
  int place = 0;
  const auto put = [&](int section) { header.moveSection(header.visualIndex(section), place++); };
  if (titles.isEmpty()) {
    for (int section = 0; section < model_.columnCount(); ++section) {
      if (model_.column(section).kind == ActorKind::Character) put(section);
    }
    for (int section = 0; section < model_.columnCount(); ++section) {
      if (model_.column(section).kind != ActorKind::Character) put(section);
    }
    return;
  }
  for (const QString& title : titles) {
    const int section = model_.sectionOf(title);
    if (section >= 0) put(section);
  }
}

void ColumnChoice::apply() {
  for (int section = 0; section < model_.columnCount(); ++section) {
    const bool isAlone = isTheOnlyOne(section);
    table_.setColumnHidden(section, isAlone || hidden_.contains(titleOf(section)));
  }
}

// Whether all actors have the same, because there is only one character or crowd.
bool ColumnChoice::isTheOnlyOne(int section) const {
  const ActorColumn& column = model_.column(section);
  const bool isOfCast = column.kind == ActorKind::Character || column.kind == ActorKind::Crowd;
  return isOfCast && model_.choiceCount(column, 0) == 1;
}

bool ColumnChoice::isShown(int section) const {
  return !hidden_.contains(titleOf(section));
}

void ColumnChoice::setShown(int section, bool shown) {
  hidden_.removeAll(titleOf(section));
  if (!shown) hidden_ << titleOf(section);
  apply();
  keep();
}

void ColumnChoice::reset() {
  hidden_.clear();
  order({});
  apply();
  QSettings settings;
  settings.remove(hiddenKey());
  settings.remove(orderKey());
}

void ColumnChoice::keep() const {
  QStringList titles;
  for (int place = 0; place < model_.columnCount(); ++place) {
    titles << titleOf(table_.horizontalHeader()->logicalIndex(place));
  }
  QSettings settings;
  settings.setValue(hiddenKey(), hidden_);
  settings.setValue(orderKey(), titles);
}

void ColumnChoice::addActions(QMenu& menu) {
  for (int place = 0; place < model_.columnCount(); ++place) {
    const int section = table_.horizontalHeader()->logicalIndex(place);
    const bool isAlone = isTheOnlyOne(section);
    QAction* action = menu.addAction(columnTitle(model_.column(section)));
    TickMenu::keepOpen(*action);
    action->setCheckable(true);
    action->setChecked(isShown(section) && !isAlone);
    action->setEnabled(!isAlone);
    action->setToolTip(isAlone ? tr("There is only one") : columnTip(model_.column(section)));
    connect(action, &QAction::toggled, this,
            [this, section](bool shown) { setShown(section, shown); });
  }
  menu.addSeparator();
  menu.addAction(tr("Reset columns"), this, &ColumnChoice::reset)
      ->setToolTip(tr("All columns in their first order"));
}

}  // namespace ck::ui
