#pragma once

#include <QObject>

#include "ui/windows/app_context.h"

class QMenu;

namespace ck::ui {

class ActionTable;
class CrowdCommands;
class SpawnBar;
class ViewportWidget;

// The menu of crowds: their number, formations and tools, and the row of crowds in the panel of
// actors.
class CrowdMenu : public QObject {
  Q_OBJECT

 public:
  // Becomes a child of the window, and fills `menu`.
  CrowdMenu(ActionTable& actions, QMenu& menu, const AppContext& app);

 private:
  void addCrowds(QMenu& menu);
  void addFormations(QMenu& menu);
  void addTools(QMenu& menu);
  void askName();
  bool tellWhereWalkersLeave();
  QString needsClips() const;
  QString needsRig() const;

  const AppContext app_;
  ActionTable& actions_;
  CrowdCommands& commands_;
};

}  // namespace ck::ui
