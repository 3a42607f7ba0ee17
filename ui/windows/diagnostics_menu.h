#pragma once

class QMenu;
class QWidget;

namespace ck::ui {

class Document;
class Playback;
class Session;
class ViewportWidget;

// Options for comparing ways to draw the same crowd, for measurements. Choices that the context,
// the method or the atlas does not support are disabled with a reason. All arguments must outlive
// the menu.
QMenu* makeDiagnosticsMenu(Document& document, const Session& session, const Playback& playback,
                           ViewportWidget& viewport, QWidget* parent);

}  // namespace ck::ui
