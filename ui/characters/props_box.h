#pragma once

#include <QWidget>

class QTableView;
class QToolButton;

namespace ck::ui {

class Document;
class PropModel;
class PropSession;

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
  int current() const;  // index of a prop, or -1
  void showState();

  PropSession& props_;
  PropModel* model_;
  QTableView* table_;
  QToolButton* remove_;
};

}  // namespace ck::ui
