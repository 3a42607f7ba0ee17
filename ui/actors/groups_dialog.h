#pragma once

#include <QDialog>

class QLabel;
class QListWidget;
class QToolButton;

namespace ck::ui {

class ActorCommands;
class Document;
class Selection;

// The groups of actors: their names, sizes and order. Every change is an undo step.
class GroupsDialog : public QDialog {
  Q_OBJECT

 public:
  GroupsDialog(Document& document, Selection& selection, ActorCommands& commands,
               QWidget* parent = nullptr);

  QListWidget& list() { return *list_; }

 private:
  int current() const;  // index into Project::groups, or -1
  void showGroups();
  void showButtons();
  void rename(int group, const QString& name);
  void move(int by);
  void removeCurrent();

  Document& document_;
  Selection& selection_;
  QListWidget* list_;
  QToolButton* up_;
  QToolButton* down_;
  QToolButton* remove_;
  QToolButton* select_;
  QToolButton* put_;
  QLabel* wrong_;
  bool filling_ = false;
};

}  // namespace ck::ui
