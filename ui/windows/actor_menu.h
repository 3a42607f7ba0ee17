#pragma once

#include <QList>
#include <QObject>
#include <QPoint>

#include "ui/windows/app_context.h"

class QAction;
class QMenu;
class QWidget;

namespace ck::ui {

class ActionTable;
class ActorCommands;

// The actions on actors as a whole: in the menu Edit, and as the menu of the rows of the table and
// of the view. Keys for text (Ctrl+C, Del) work in the table and the view only.
class ActorMenu : public QObject {
  Q_OBJECT

 public:
  // Adds the actions to `edit`, and becomes a child of the window.
  ActorMenu(ActionTable& actions, QMenu& edit, const AppContext& app);

  // A context menu for the selected actors. The caller shows and deletes it.
  QMenu* makeMenu(QWidget* parent);

 public slots:
  // The same at a place on the screen, for the actor there; -1: for the selection.
  void showMenu(const QPoint& place, int actor);

 private:
  void addSelectMenu(ActionTable& actions, QMenu& edit);
  void fillSelectGroup();
  void showGroups();
  void fill(QMenu& menu);

  const AppContext app_;
  ActorCommands* commands_;
  QList<QAction*> actions_;  // of the context menu; null stands for a separator
  QMenu* select_;
  QMenu* selectGroup_;
};

}  // namespace ck::ui
