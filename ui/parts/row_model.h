#pragma once

#include <QAbstractTableModel>
#include <vector>

namespace ck::ui {

// A table with a row for every item of a list, and columns with a title, a tool tip and an
// alignment. Its cells can be selected. Texts are shown with their marks written out (shownText()).
class RowModel : public QAbstractTableModel {
 public:
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 protected:
  enum class Align { Text, Number };  // numbers are on the right

  using QAbstractTableModel::QAbstractTableModel;
  void addColumn(const QString& title, const QString& tip, Align align = Align::Number);
  // Any cell may have changed. Another number of rows resets the views.
  void showRows(int rows);

  // The value of a cell that exists, for every role but the alignment.
  virtual QVariant cell(int row, int column, int role) const = 0;
  // The abilities of a cell, besides being selected.
  virtual Qt::ItemFlags abilities(int row, int column) const = 0;

  int rows_ = 0;

 private:
  struct Column {
    QString title;
    QString tip;
    Align align;
  };
  std::vector<Column> columns_;
};

}  // namespace ck::ui
