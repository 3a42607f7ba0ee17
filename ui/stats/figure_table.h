#pragma once

#include <QIcon>
#include <QString>
#include <QStringList>

class QTableWidget;

namespace ck::ui {

// Tables of figures that are read, not selected or edited.

enum class FigureKind { Name, Number };  // names are on the left, numbers on the right

// The first column stretches, and the others are as wide as their numbers. `name` is the accessible
// name. It has no parent until it is added to a layout.
QTableWidget* makeFigureTable(const QStringList& columns, const QString& name);

// Shows `text` in a cell, which is made with the alignment of `kind` if it does not exist.
void setFigure(QTableWidget& table, int row, int column, const QString& text, FigureKind kind);

// A filled dot, for a legend.
QIcon dotIcon(const QColor& color);

}  // namespace ck::ui
