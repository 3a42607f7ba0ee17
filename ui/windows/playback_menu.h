#pragma once

#include <QString>

class QMenu;
class QWidget;

namespace ck::ui {

class ActionTable;
class Document;
class Playback;
class Selection;
class Session;

// The name of the menu, by which context menus find it (QObject::findChild) and show it, too: its
// actions have keys, and exist once.
inline constexpr const char* kPlaybackMenu = "playbackMenu";

// Makes the menu *Crowd > Playback*, whose entries apply to the selected actors from the time that
// is shown: play, pause, reverse, restart, retrace; the loop mode; no commands. All arguments must
// outlive the menu.
QMenu* makePlaybackMenu(ActionTable& actions, Document& document, const Session& session,
                        Playback& playback, const Selection& selection, QWidget* parent);

}  // namespace ck::ui
