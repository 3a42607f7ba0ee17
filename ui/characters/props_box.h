#pragma once

#include <QWidget>

#include "ui/parts/row_model.h"

class QTableView;
class QToolButton;

namespace ck::ui {

class Document;
class PropSession;

// The project's props, one row each, in order. Setting a number edits the project.
class PropModel : public RowModel {
  Q_OBJECT

 public:
  enum Column { Name, X, Y, Z, Yaw, Scale };

  PropModel(Document& document, const PropSession& props, QObject* parent = nullptr);

  // Refuses numbers out of range, and a scale of 0.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 protected:
  QVariant cell(int prop, int column, int role) const override;
  Qt::ItemFlags abilities(int prop, int column) const override;

 private:
  QString name(int prop) const;

  Document& document_;
  const PropSession& props_;
};

// The list of props with their transforms. Hidden if there are no props.
class PropsBox : public QWidget {
  Q_OBJECT

 public:
  PropsBox(Document& document, PropSession& props, QWidget* parent = nullptr);

  QTableView& table() { return *table_; }
  QToolButton& removeButton() { return *remove_; }

 signals:
  void addAsked();

 private:
  void showState();

  PropModel* model_;
  QTableView* table_;
  QToolButton* remove_;
};

}  // namespace ck::ui
