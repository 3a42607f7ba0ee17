#pragma once

#include <QTableView>
#include <QTimer>

namespace ck::ui {

class ActorFilter;
class ActorModel;
class ColumnChoice;
class Selection;

// The actors as rows. A value that is entered for a selected actor applies to all selected actors.
// The selection is the program's Selection: a click selects one actor, Shift
// extends, Ctrl toggles, and dragging over rows selects them. Qt's selection model is not used,
// because it stores ranges of rows, which takes seconds for a large crowd of mixed clips.
class ActorTable : public QTableView {
  Q_OBJECT

 public:
  // `shown` filters `model`.
  ActorTable(ActorModel& model, ActorFilter& shown, Selection& selection,
             QWidget* parent = nullptr);

  // Selects all rows that are shown.
  void selectAll() override;
  ColumnChoice& columns() { return *columns_; }
  // Whether a click or a key in the table changes the selection now.
  bool isPressed() const { return changing_; }
  // Whether rows are being dragged over.
  bool isDragged() const;
  // Scrolls to the actor that was clicked last, as far as needed.
  void showAnchor();

 signals:
  // A menu is wanted for the selected actors, and for a column or -1. Places are on the screen.
  void rowMenuAsked(const QPoint& place, int section);
  void headerMenuAsked(const QPoint& place, int section);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  // Text begins to edit a cell of a number, Return any; returns whether the key is done with.
  bool takeText(QKeyEvent& event);
  void makeHeaders();
  void askRowMenu(const QPoint& place, int row, int section);
  void pressRow(int row, Qt::KeyboardModifiers modifiers);
  void selectUpTo(int row, bool add);
  void followSelection();
  void mirrorSelection();
  int actorAt(int row) const;

  ActorModel& model_;
  ActorFilter& shown_;
  Selection& selection_;
  ColumnChoice* columns_;
  int anchorActor_ = -1;
  int draggedRow_ = -1;  // last row that a drag reached; -1 without a drag
  // Delays a click on one of several selected rows until it cannot become a double click.
  QTimer collapse_;
  bool changing_ = false;
};

}  // namespace ck::ui
