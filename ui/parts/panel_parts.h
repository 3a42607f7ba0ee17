#pragma once

#include <QString>

class QTableView;
class QToolButton;

namespace ck::ui {

// Parts that several panels are made of.

// A button that is an icon of the theme alone; what it does is its tip and its accessible name, to
// be said more exactly where there are many of a kind. It belongs to nobody until it is laid out.
QToolButton* iconButton(const QString& iconName, const QString& tip);

// A list of rows of which one at a time is chosen: no grid, no numbers, the last column fills up.
void showAsList(QTableView& table);

}  // namespace ck::ui
