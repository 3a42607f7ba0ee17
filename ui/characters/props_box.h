#pragma once

#include <QWidget>

class QTableView;
class QToolButton;

namespace ck::ui {

class Document;
class PropModel;
class PropSession;

// The props of the scene as a list with their places; not to be seen where there are none.
class PropsBox : public QWidget {
  Q_OBJECT

 public:
  PropsBox(Document& document, PropSession& props, QWidget* parent = nullptr);

  QTableView& table() { return *table_; }
  QToolButton& removeButton() { return *remove_; }

 signals:
  void addAsked();

 private:
  int current() const;  // a prop, or -1
  void showState();

  PropSession& props_;
  PropModel* model_;
  QTableView* table_;
  QToolButton* remove_;
};

}  // namespace ck::ui
