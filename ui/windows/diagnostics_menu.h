#pragma once

#include <QMenu>

#include "core/view/pose_settings.h"

namespace ck::ui {

class Document;
class Playback;
class Session;
class ViewportWidget;

// Switches that compare ways to draw the same crowd: for those who measure, not for artists. What
// the context, the method or the atlas does not allow is disabled and says why.
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
  // An entry of `menu` that edits how morph targets are added up; the first one is ticked.
  template <class Change>
  QAction* addWay(QMenu& menu, const QString& text, const QString& tip, Change change);

  Document& document_;
  ViewportWidget& viewport_;
  QAction* compact_ = nullptr;
  QAction* integers_ = nullptr;
  QAction* compute_ = nullptr;
};

}  // namespace ck::ui
