#pragma once

class QMenu;

namespace ck::ui {

class ActionTable;

// Adds the switch that lets this program read files of others only where their readers are confined
// (setSandboxRequired()), as the settings keep it. It is on and cannot be switched off where the
// command line says so.
void addSandboxSwitch(ActionTable& actions, QMenu& menu);

}  // namespace ck::ui
