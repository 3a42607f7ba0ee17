#pragma once

#include <QObject>

#include "ui/tools/brush_tool.h"
#include "ui/tools/path_tool.h"

namespace ck::ui {

class BrushBar;
class ViewportWidget;

// The tools of a view that edit where the crowd stands: the brush, whose options lie over the view
// while it is used, and the path of the formation. A tool that ends leaves the view to the tool
// that was there before.
class CrowdTools : public QObject {
  Q_OBJECT

 public:
  // All must outlive it, and `parent` the view.
  CrowdTools(Document& document, const Session& session, const Playback& playback,
             Selection& selection, ViewportWidget& view, QObject* parent);
  ~CrowdTools() override;

  BrushTool& brush() { return brush_; }
  PathTool& path() { return path_; }
  BrushBar& bar() { return *bar_; }
  void setBrushing(bool on) { use(brush_, on); }
  void setDrawing(bool on) { use(path_, on); }

 signals:
  // Whether a tool is the one of the view.
  void brushing(bool on);
  void drawing(bool on);
  // A stroke has placed actors that walk: where they stand at time 0.
  void walkersPlaced();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void use(ViewportTool& tool, bool on);
  void showTool();
  void placeBar();

  ViewportWidget& view_;
  BrushTool brush_;
  PathTool path_;
  BrushBar* bar_;                   // a child of the view
  ViewportTool* before_ = nullptr;  // that the view had before
};

}  // namespace ck::ui
