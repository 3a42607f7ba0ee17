#pragma once

#include <QString>

class QTableView;
class QToolButton;

namespace ck::ui {

// Widgets that several panels use.

// A button with an icon of the theme and no text. `tip` is its tool tip and its accessible name;
// set a more specific name where several equal buttons exist. It has no parent until it is added to
// a layout.
QToolButton* iconButton(const QString& iconName, const QString& tip);

// Configures a table as a list with a single selected row: no grid, no row numbers, and the last
// column stretches.
void showAsList(QTableView& table);

}  // namespace ck::ui
