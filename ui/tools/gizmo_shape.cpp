#include "ui/tools/gizmo_shape.h"

#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

namespace ck::ui {
namespace {

constexpr double kShortestPixels = 16.0;  // a shorter axis points at the eye
constexpr double kEdgeOn = 0.2;           // cosine: a plane seen flatter is left out
constexpr double kPlaneFrom = 0.26;       // shares of the reach
constexpr double kPlaneTo = 0.46;
constexpr double kAxisFrom = 0.12;
constexpr double kMiddlePixels = 8.0;
constexpr double kViewRing = 1.18;  // of the reach
constexpr double kArrowPixels = 15.0;
constexpr double kBlockPixels = 6.0;
constexpr int kCircleSteps = 96;
// Pixels of drag that scale by e; with the middle handle.
constexpr double kScalePixels = 140.0;

constexpr std::array kAxes = {GizmoHandle::X, GizmoHandle::Y, GizmoHandle::Z};
constexpr std::array kPlanes = {GizmoHandle::YZ, GizmoHandle::ZX, GizmoHandle::XY};

double dot(const QPointF& a, const QPointF& b) {
  return QPointF::dotProduct(a, b);
}

double lengthOf(const QPointF& way) {
  return std::sqrt(dot(way, way));
}

double distanceTo(const std::vector<QPointF>& line, const QPointF& place) {
  double least = 1e300;
  for (std::size_t i = 1; i < line.size(); ++i) {
    least = std::min(least, distanceToLine(place, line[i - 1], line[i]));
  }
  return least;
}

bool holds(const std::vector<QPointF>& outline, const QPointF& place) {
  return QPolygonF(QList<QPointF>(outline.begin(), outline.end()))
      .containsPoint(place, Qt::OddEvenFill);
}

// Draws parts of a gizmo in a view.
struct Pen {
  const GizmoFrame& frame;
  const ViewProjection& view;
  double reach = 1.0;  // metres
  glm::dvec3 toEye{0.0};
  QPointF middle;

  QPointF at(const glm::dvec3& local) const {
    return view.at(frame.pivot + frame.axes * (local * reach)).value_or(middle);
  }
  // How squarely the eye looks along an axis, -1 to 1.
  double facing(int axis) const { return glm::dot(frame.axes[axis], toEye); }

  std::vector<QPointF> arrow(const QPointF& tip, const QPointF& along) const {
    const QPointF across(-along.y(), along.x());
    const QPointF foot = tip - along * kArrowPixels;
    return {tip, foot + across * 5.5, foot - across * 5.5};
  }
  std::vector<QPointF> block(const QPointF& at, double half = kBlockPixels) const {
    return {at + QPointF(-half, -half), at + QPointF(half, -half), at + QPointF(half, half),
            at + QPointF(-half, half)};
  }
};

std::optional<GizmoPart> axisPart(const Pen& pen, int axis, GizmoMode mode) {
  glm::dvec3 unit(0.0);
  unit[axis] = 1.0;
  const QPointF end = pen.at(unit);
  const double length = lengthOf(end - pen.middle);
  if (length < kShortestPixels) return std::nullopt;
  const QPointF along = (end - pen.middle) / length;
  GizmoPart part{kAxes[std::size_t(axis)], {pen.at(unit * kAxisFrom), end}};
  part.head =
      mode == GizmoMode::Move ? pen.arrow(end + along * kArrowPixels * 0.5, along) : pen.block(end);
  return part;
}

std::optional<GizmoPart> planePart(const Pen& pen, int axis) {
  if (std::abs(pen.facing(axis)) < kEdgeOn) return std::nullopt;
  glm::dvec3 u(0.0);
  glm::dvec3 v(0.0);
  u[(axis + 1) % 3] = 1.0;
  v[(axis + 2) % 3] = 1.0;
  GizmoPart part{kPlanes[std::size_t(axis)],
                 {pen.at(u * kPlaneFrom + v * kPlaneFrom), pen.at(u * kPlaneTo + v * kPlaneFrom),
                  pen.at(u * kPlaneTo + v * kPlaneTo), pen.at(u * kPlaneFrom + v * kPlaneTo)},
                 true};
  part.line.push_back(part.line.front());
  return part;
}

std::vector<QPointF> circle(const Pen& pen, const glm::dvec3& u, const glm::dvec3& v, double from,
                            double to) {
  std::vector<QPointF> line;
  for (int i = 0; i <= kCircleSteps; ++i) {
    const double angle = from + (to - from) * i / kCircleSteps;
    line.push_back(pen.at(u * std::cos(angle) + v * std::sin(angle)));
  }
  return line;
}

// The half of the circle that is nearer to the eye is taken, the other half is only shown.
GizmoPart ringPart(const Pen& pen, int axis) {
  glm::dvec3 u(0.0);
  glm::dvec3 v(0.0);
  u[(axis + 1) % 3] = 1.0;
  v[(axis + 2) % 3] = 1.0;
  constexpr double kHalf = glm::half_pi<double>();
  if (std::abs(pen.facing(axis)) > 0.999) {
    return {kAxes[std::size_t(axis)], circle(pen, u, v, 0.0, 4.0 * kHalf)};
  }
  const double nearest = std::atan2(pen.facing((axis + 2) % 3), pen.facing((axis + 1) % 3));
  GizmoPart part{kAxes[std::size_t(axis)], circle(pen, u, v, nearest - kHalf, nearest + kHalf)};
  part.back = circle(pen, u, v, nearest + kHalf, nearest + 3.0 * kHalf);
  return part;
}

std::vector<QPointF> roundAbout(const QPointF& middle, double radius) {
  std::vector<QPointF> line;
  for (int i = 0; i <= kCircleSteps; ++i) {
    const double angle = glm::two_pi<double>() * i / kCircleSteps;
    line.push_back(middle + QPointF(std::cos(angle), std::sin(angle)) * radius);
  }
  return line;
}

// Towards the eye at the pivot.
glm::dvec3 toEyeAt(const GizmoFrame& frame, const ViewProjection& view) {
  const auto at = view.at(frame.pivot);
  return at ? -view.ray(*at).direction : glm::dvec3(0.0, 0.0, 1.0);
}

double angleAbout(const QPointF& middle, const QPointF& place) {
  return std::atan2(-(place.y() - middle.y()), place.x() - middle.x());
}

glm::dvec3 moveStep(GizmoHandle handle, const GizmoFrame& frame, const ViewProjection& view,
                    const QPointF& from, const QPointF& to) {
  const int axis = axisOf(handle);
  if (handle == GizmoHandle::X || handle == GizmoHandle::Y || handle == GizmoHandle::Z) {
    const auto before = view.alongLine(from, frame.pivot, frame.axes[axis]);
    const auto after = view.alongLine(to, frame.pivot, frame.axes[axis]);
    glm::dvec3 step(0.0);
    if (before && after) step[axis] = *after - *before;
    return step;
  }
  const glm::dvec3 normal = axis >= 0 ? frame.axes[axis] : toEyeAt(frame, view);
  const auto before = view.onPlane(from, frame.pivot, normal);
  const auto after = view.onPlane(to, frame.pivot, normal);
  if (!before || !after) return glm::dvec3(0.0);
  glm::dvec3 step = glm::transpose(frame.axes) * (*after - *before);
  if (axis >= 0) step[axis] = 0.0;
  return step;
}

// On the plane of the circle, or along the circle as it is seen where that plane is seen from its
// edge.
double turnStep(GizmoHandle handle, const GizmoFrame& frame, const ViewProjection& view,
                const QPointF& from, const QPointF& to) {
  const glm::dvec3 axis = axisOfTurn(handle, frame, view);
  const auto middle = view.at(frame.pivot);
  if (!middle) return 0.0;
  const glm::dvec3 toEye = toEyeAt(frame, view);
  const double facing = glm::dot(axis, toEye);
  if (handle == GizmoHandle::View) {
    return std::remainder(angleAbout(*middle, to) - angleAbout(*middle, from),
                          glm::two_pi<double>());
  }
  const auto before = view.onPlane(from, frame.pivot, axis);
  const auto after = view.onPlane(to, frame.pivot, axis);
  if (std::abs(facing) >= kEdgeOn && before && after) {
    const glm::dvec3 a = *before - frame.pivot;
    const glm::dvec3 b = *after - frame.pivot;
    return std::atan2(glm::dot(glm::cross(a, b), axis), glm::dot(a, b));
  }
  // The front of the circle moves across the view, at right angles to the axis.
  const glm::dvec3 along = glm::cross(axis, toEye);
  const auto ahead = view.at(frame.pivot + along * view.metersPerPixel(frame.pivot));
  if (!ahead) return 0.0;
  const QPointF way = *ahead - *middle;
  return dot(to - from, way) / std::max(dot(way, way), 1e-12) / GizmoShape::kReachPixels;
}

double scaleStep(GizmoHandle handle, const GizmoFrame& frame, const ViewProjection& view,
                 const QPointF& from, const QPointF& to) {
  if (handle == GizmoHandle::View) {
    const QPointF way = to - from;
    return std::exp((way.x() - way.y()) / kScalePixels);
  }
  const glm::dvec3 axis = frame.axes[axisOf(handle)];
  const double reach = view.metersPerPixel(frame.pivot) * GizmoShape::kReachPixels;
  const auto before = view.alongLine(from, frame.pivot, axis);
  const auto after = view.alongLine(to, frame.pivot, axis);
  if (!before || !after) return 1.0;
  // Nearer to the pivot than a tenth of the axis a pixel would mean too much.
  const double least = 0.1 * reach;
  return std::max(*after, least) / std::max(*before, least);
}

}  // namespace

int axisOf(GizmoHandle handle) {
  switch (handle) {
    case GizmoHandle::X:
    case GizmoHandle::YZ:
      return 0;
    case GizmoHandle::Y:
    case GizmoHandle::ZX:
      return 1;
    case GizmoHandle::Z:
    case GizmoHandle::XY:
      return 2;
    default:
      return -1;
  }
}

GizmoShape::GizmoShape(GizmoMode mode, const GizmoFrame& frame, const ViewProjection& view,
                       bool many)
    : pivot_(view.at(frame.pivot)) {
  if (!pivot_ || mode == GizmoMode::Select) return;
  const Pen pen{frame, view, view.metersPerPixel(frame.pivot) * kReachPixels, toEyeAt(frame, view),
                *pivot_};
  std::array<int, 3> order = {0, 1, 2};
  std::ranges::sort(order, {}, [&pen](int axis) { return pen.facing(axis); });
  if (mode == GizmoMode::Turn) {
    parts_.push_back({GizmoHandle::View, roundAbout(*pivot_, kReachPixels * kViewRing)});
    for (const int axis : order) parts_.push_back(ringPart(pen, axis));
    return;
  }
  for (const int axis : order) {
    if (mode == GizmoMode::Scale && !many) continue;
    if (auto part = axisPart(pen, axis, mode)) parts_.push_back(std::move(*part));
  }
  if (mode == GizmoMode::Move) {
    for (int axis = 0; axis < 3; ++axis) {
      if (auto part = planePart(pen, axis)) parts_.push_back(std::move(*part));
    }
    parts_.push_back({GizmoHandle::View, roundAbout(*pivot_, kMiddlePixels), true});
  } else {
    GizmoPart middle{GizmoHandle::View, pen.block(*pivot_, kMiddlePixels), true};
    middle.line.push_back(middle.line.front());
    parts_.push_back(std::move(middle));
  }
}

GizmoHandle GizmoShape::at(const QPointF& pointer) const {
  GizmoHandle found = GizmoHandle::None;
  double least = kHitPixels;
  bool foundFilled = false;
  for (const GizmoPart& part : parts_) {
    const bool inside = part.filled && holds(part.line, pointer);
    double away = inside ? 0.0 : distanceTo(part.line, pointer);
    if (!part.head.empty() && holds(part.head, pointer)) away = 0.0;
    // Filled handles are small, and axes are long: where both are near, the small one is meant.
    const bool better = inside || (away <= least && !foundFilled);
    if (!better) continue;
    least = away;
    found = part.handle;
    foundFilled = inside;
  }
  return found;
}

glm::dvec3 axisOfTurn(GizmoHandle handle, const GizmoFrame& frame, const ViewProjection& view) {
  const int axis = axisOf(handle);
  return axis >= 0 ? frame.axes[axis] : toEyeAt(frame, view);
}

GizmoStep gizmoStep(GizmoMode mode, GizmoHandle handle, const GizmoFrame& frame,
                    const ViewProjection& view, const QPointF& from, const QPointF& to) {
  GizmoStep step;
  switch (mode) {
    case GizmoMode::Select:
      break;
    case GizmoMode::Move:
      step.meters = moveStep(handle, frame, view, from, to);
      break;
    case GizmoMode::Turn:
      step.radians = turnStep(handle, frame, view, from, to);
      break;
    case GizmoMode::Scale:
      step.factor = scaleStep(handle, frame, view, from, to);
      break;
  }
  return step;
}

}  // namespace ck::ui
