#pragma once

#include <QPointF>
#include <QSizeF>
#include <glm/glm.hpp>
#include <optional>

#include "render/scene/camera.h"

namespace ck::ui {

// A line from the eye through a place of the view. `direction` has the length 1.
struct ViewRay {
  glm::dvec3 origin{0.0};
  glm::dvec3 direction{0.0, 0.0, -1.0};
};

// Where points of the world are in a view, in logical pixels, y down, and back.
class ViewProjection {
 public:
  ViewProjection(const render::Camera& camera, const QSizeF& size);

  // Also where lines of sight are parallel.
  glm::dvec3 eye() const { return glm::dvec3(glm::inverse(view_)[3]); }
  // Nothing for a point behind the eye.
  std::optional<QPointF> at(const glm::dvec3& world) const;
  ViewRay ray(const QPointF& place) const;
  // Where the ray through a place meets the plane through `point` with this normal (length 1).
  // Nothing if it is parallel to the plane or meets it behind the eye.
  std::optional<glm::dvec3> onPlane(const QPointF& place, const glm::dvec3& point,
                                    const glm::dvec3& normal) const;
  // How far along the line through `point` (`along` has the length 1) the ray through a place
  // passes it nearest, in metres. Nothing if they are parallel.
  std::optional<double> alongLine(const QPointF& place, const glm::dvec3& point,
                                  const glm::dvec3& along) const;
  // The length in metres of a pixel at the depth of a point.
  double metersPerPixel(const glm::dvec3& world) const;

 private:
  glm::dmat4 view_;
  glm::dmat4 projection_;
  glm::dmat4 back_;  // from the view's cube to the world
  QSizeF size_;
};

// The distance of a place of the view from the line between two others.
double distanceToLine(const QPointF& place, const QPointF& from, const QPointF& to);

}  // namespace ck::ui
