#pragma once

#include <QPointF>
#include <QString>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/crowd/actor.h"
#include "ui/tools/gizmo_shape.h"
#include "ui/viewport/viewport_tool.h"

namespace ck::ui {

class Document;
class Playback;
class Selection;
class ViewportWidget;

// Moves, turns and scales the selected actors about one pivot, the middle of the places where they
// are drawn now: by handles, and in the modes Select and Move by the body of a selected actor,
// which moves them over the ground. Ctrl snaps (0.5 m, 15 degrees, 0.1), Shift is ten times finer,
// a typed number or expression with units sets the value, Esc takes the drag back. A drag is one
// undo step.
class GizmoTool : public ViewportTool {
  Q_OBJECT

 public:
  // All arguments must outlive the tool.
  GizmoTool(Document& document, const Playback& playback, Selection& selection,
            ViewportWidget& view, QObject* parent = nullptr);

  void setMode(GizmoMode mode);
  GizmoMode mode() const { return mode_; }
  // Whether its axes are those of the first selected actor instead of the world's.
  void setLocal(bool local);
  bool isLocal() const { return local_; }

  // Where it stands. Nothing if no selected actor is shown.
  std::optional<GizmoFrame> frame() const;
  // The result of the drag so far: "X +1.25 m", "32.5°", "× 1.20"; empty without one.
  QString readout() const;

  bool press(const QMouseEvent& event, const ViewProjection& view) override;
  void move(const QMouseEvent& event, const ViewProjection& view) override;
  void release(const QMouseEvent& event, const ViewProjection& view) override;
  bool wantsSecondPress(const QMouseEvent& event, const ViewProjection& view) const override;
  bool key(const QKeyEvent& event) override;
  void setModifiers(Qt::KeyboardModifiers held) override;
  void cancel() override;
  void leave() override;
  void paint(QPainter& painter, const ViewProjection& view) override;

 private:
  struct Drag {
    GizmoMode mode = GizmoMode::Move;
    GizmoHandle handle = GizmoHandle::None;
    GizmoFrame frame;                           // as it was pressed
    glm::dvec3 axis{0.0};                       // of a turn
    std::vector<std::pair<int, Actor>> before;  // the selected actors
    QPointF pressed;
    QPointF last;
    int body = -1;          // the actor whose body is dragged
    bool hasMoved = false;  // farther than a click
    GizmoStep sum;          // of the pointer's way
    Qt::KeyboardModifiers modifiers;
    QString typed;
    std::optional<double> number;  // what it means, or meant when it was last understood
    bool isWrong = false;          // it is not understood now
  };

  GizmoHandle handleAt(const QPointF& place, const ViewProjection& view) const;
  bool pressBody(const QMouseEvent& event, const ViewProjection& view);
  void begin(GizmoMode mode, GizmoHandle handle, const GizmoFrame& frame, const QMouseEvent& event);
  GizmoStep amount() const;  // snapped, or as typed
  QString stepText() const;
  Actor after(const Actor& actor, const GizmoStep& step) const;
  void readTyped();
  void apply();

  Document& document_;
  const Playback& playback_;
  Selection& selection_;
  ViewportWidget& view_;
  GizmoMode mode_ = GizmoMode::Select;
  bool local_ = false;
  GizmoHandle hovered_ = GizmoHandle::None;
  std::optional<Drag> drag_;
};

}  // namespace ck::ui
