#include "ui/parts/row_model.h"

#include "ui/document/text.h"

namespace ck::ui {

void RowModel::addColumn(const QString& title, const QString& tip, Align align) {
  columns_.push_back({title, tip, align});
}

void RowModel::showRows(int rows) {
  if (rows == rows_) {
    if (rows > 0) emit dataChanged(index(0, 0), index(rows - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  rows_ = rows;
  endResetModel();
}

int RowModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
}

int RowModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(columns_.size());
}

QVariant RowModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_) return {};
  if (role != Qt::TextAlignmentRole) {
    const QVariant value = cell(index.row(), index.column(), role);
    const bool isShownText = (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) &&
                             value.userType() == QMetaType::QString;
    return isShownText ? QVariant(shownText(value.toString())) : value;
  }
  const bool number = columns_[std::size_t(index.column())].align == Align::Number;
  return number ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
}

QVariant RowModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) return {};
  if (role == Qt::DisplayRole) return columns_[std::size_t(section)].title;
  if (role == Qt::ToolTipRole) return columns_[std::size_t(section)].tip;
  return {};
}

Qt::ItemFlags RowModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren |
         abilities(index.row(), index.column());
}

}  // namespace ck::ui
