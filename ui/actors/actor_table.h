#pragma once

#include <QTableView>
#include <QTimer>

namespace ck::ui {

class ActorDelegate;
class ActorFilter;
class ActorModel;
class Selection;

// The actors as rows. What is selected is the program's one Selection, shown and changed here: a
// click selects one actor, Shift up to it, Ctrl adds or takes away, dragging over rows selects
// them. (Qt's own selection keeps ranges of rows, which takes seconds for a large crowd of mixed
// clips.)
class ActorTable : public QTableView {
  Q_OBJECT

 public:
  ActorTable(ActorFilter& shown, Selection& selection, QWidget* parent = nullptr);

  ActorDelegate& delegate() { return *delegate_; }
  // Selects what is shown.
  void selectAll() override;

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void makeHeaders();
  void showCharacters();
  const ActorModel& actors() const;
  void pressRow(int row, Qt::KeyboardModifiers modifiers);
  void selectUpTo(int row, bool add);
  void followSelection();
  void mirrorSelection();
  int actorAt(int row) const;

  ActorFilter& shown_;
  Selection& selection_;
  ActorDelegate* delegate_;
  int anchorActor_ = -1;
  int draggedRow_ = -1;  // the last row that a drag came to; -1 where none is going on
  QTimer collapse_;      // a click on one of many selected rows, until it is no double click
  bool changing_ = false;
};

}  // namespace ck::ui
