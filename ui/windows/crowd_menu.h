#pragma once

class QMenu;

namespace ck::ui {

class MainMenus;
class MainWindow;

// Adds the tools of the view that edit the crowd to the menu Crowd and to the actors panel. Without
// a view there are none.
void addCrowdTools(MainMenus& menus, MainWindow& window, QMenu& crowd);

}  // namespace ck::ui
