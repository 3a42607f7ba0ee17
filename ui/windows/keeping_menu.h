#pragma once

class QMenu;

namespace ck::ui {

class MainMenus;
class MainWindow;

// Entries of the menu File about what the project is made of: collecting it, watching its sources.
void addKeepingActions(MainMenus& menus, MainWindow& window, QMenu& menu);

// The entry of the menu Edit that shows the undo history.
void addHistoryAction(MainMenus& menus, MainWindow& window, QMenu& menu);

}  // namespace ck::ui
