#include "ui/parts/panel_parts.h"

#include <QHeaderView>
#include <QTableView>
#include <QToolButton>

#include "ui/theme/theme.h"

namespace ck::ui {

QToolButton* iconButton(const QString& iconName, const QString& tip) {
  auto* button = new QToolButton;
  button->setIcon(icon(iconName));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  return button;
}

void showAsList(QTableView& table) {
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setSelectionMode(QAbstractItemView::SingleSelection);
  table.setAlternatingRowColors(true);
  table.setShowGrid(false);
  table.setWordWrap(false);
  table.setTabKeyNavigation(false);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(24);
  table.horizontalHeader()->setHighlightSections(false);
  table.horizontalHeader()->setStretchLastSection(true);
}

}  // namespace ck::ui
