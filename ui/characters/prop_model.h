#pragma once

#include <QAbstractTableModel>

namespace ck::ui {

class Document;
class PropSession;

// The project's props, one row each, in order. Setting a number edits the project.
class PropModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, X, Y, Z, Yaw, Scale };
  static constexpr int kColumns = 6;

  PropModel(Document& document, const PropSession& props, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  // Refuses numbers out of range, and a scale of 0.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  void refresh();
  QString name(int prop) const;
  float number(int prop, int column) const;

  Document& document_;
  const PropSession& props_;
  int rows_ = 0;
};

}  // namespace ck::ui
