#pragma once

#include <QMenu>

#include "core/view/pose_settings.h"

namespace ck::ui {

class Document;
class Playback;
class Session;
class ViewportWidget;

// Options for comparing ways to draw the same crowd, for measurements. Choices that the context,
// the method or the atlas does not support are disabled with a reason.
class DiagnosticsMenu : public QMenu {
  Q_OBJECT

 public:
  DiagnosticsMenu(Document& document, const Session& session, const Playback& playback,
                  ViewportWidget& viewport, QWidget* parent = nullptr);

  QAction& compactRecords() { return *compact_; }
  QAction& computeSums() { return *compute_; }

 private:
  void addReading(const Session& session, const Playback& playback);
  void addPalette();
  void addMorphs();
  void offerCompute();
  // A menu entry that edits how morphs are added up. The first one is checked.
  template <class Change>
  QAction* addWay(QMenu& menu, const QString& text, const QString& tip, Change change);

  Document& document_;
  ViewportWidget& viewport_;
  QAction* compact_ = nullptr;
  QAction* integers_ = nullptr;
  QAction* compute_ = nullptr;
};

}  // namespace ck::ui
