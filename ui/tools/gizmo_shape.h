#pragma once

#include <QPointF>
#include <QString>
#include <array>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <vector>

#include "ui/viewport/view_projection.h"

namespace ck::ui {

enum class GizmoMode { Select, Move, Turn, Scale };

// The part of a gizmo that is taken. X, Y and Z are axes, or circles about them; YZ, ZX and XY are
// the planes across them; View is the plane of the view, the circle about the line of sight, or
// everything.
enum class GizmoHandle { None, X, Y, Z, YZ, ZX, XY, View };

// 0, 1, 2 for X, Y, Z and for YZ, ZX, XY; -1 for others.
int axisOf(GizmoHandle handle);

// Where a gizmo stands and which way its axes (unit vectors) point. Metres.
struct GizmoFrame {
  glm::dvec3 pivot{0.0};
  glm::dmat3 axes{1.0};
  bool operator==(const GizmoFrame&) const = default;
};

// A handle as it is drawn, in logical pixels of the view.
struct GizmoPart {
  GizmoHandle handle = GizmoHandle::None;
  std::vector<QPointF> line;  // the handle itself, or the outline of what is filled
  bool filled = false;
  std::vector<QPointF> head = {};  // a filled end: an arrow's or a block's
  std::vector<QPointF> back = {};  // of a circle: what is behind the pivot, which cannot be taken
};

// A gizmo of constant size on the screen: its parts and what is under the pointer. Handles that
// cannot be dragged, because they point at the eye or are seen from the edge, are left out.
class GizmoShape {
 public:
  static constexpr double kReachPixels = 84.0;  // from the pivot to the end of an axis
  static constexpr double kHitPixels = 7.0;     // a handle is taken up to this distance from it

  // `many`: whether places can be scaled, which takes two actors.
  GizmoShape(GizmoMode mode, const GizmoFrame& frame, const ViewProjection& view, bool many = true);

  // In the order of drawing: what is farther away first.
  const std::vector<GizmoPart>& parts() const { return parts_; }
  // The nearest handle to the pointer within reach; small ones before long ones.
  GizmoHandle at(const QPointF& pointer) const;
  // Where the pivot is drawn; nothing behind the eye, where there are no parts either.
  std::optional<QPointF> pivot() const { return pivot_; }

 private:
  std::vector<GizmoPart> parts_;
  std::optional<QPointF> pivot_;
};

// The way of the pointer from one place to the next, as a handle is dragged. Coordinates along the
// frame's axes.
struct GizmoStep {
  glm::dvec3 meters{0.0};  // GizmoMode::Move
  double radians = 0.0;    // GizmoMode::Turn, about axisOfTurn()
  double factor = 1.0;     // GizmoMode::Scale, > 0
};
GizmoStep gizmoStep(GizmoMode mode, GizmoHandle handle, const GizmoFrame& frame,
                    const ViewProjection& view, const QPointF& from, const QPointF& to);

// The axis about which a handle turns, in the world: that of a circle, or towards the eye.
glm::dvec3 axisOfTurn(GizmoHandle handle, const GizmoFrame& frame, const ViewProjection& view);

}  // namespace ck::ui
