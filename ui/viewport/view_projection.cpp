#include "ui/viewport/view_projection.h"

#include <algorithm>
#include <cmath>

namespace ck::ui {
namespace {

constexpr double kNearlyParallel = 1e-6;  // cosine between a ray and a plane's normal

}  // namespace

ViewProjection::ViewProjection(const render::Camera& camera, const QSizeF& size)
    : view_(render::viewMatrix(camera)),
      projection_(render::projectionMatrix(camera, size.width() / std::max(1.0, size.height()))),
      back_(glm::inverse(projection_ * view_)),
      size_(size) {}

std::optional<QPointF> ViewProjection::at(const glm::dvec3& world) const {
  const glm::dvec4 clip = projection_ * (view_ * glm::dvec4(world, 1.0));
  if (!(clip.w > 0.0)) return std::nullopt;
  return QPointF((clip.x / clip.w + 1.0) * 0.5 * size_.width(),
                 (1.0 - clip.y / clip.w) * 0.5 * size_.height());
}

ViewRay ViewProjection::ray(const QPointF& place) const {
  const double x = place.x() / size_.width() * 2.0 - 1.0;
  const double y = 1.0 - place.y() / size_.height() * 2.0;
  const glm::dvec4 near = back_ * glm::dvec4(x, y, -1.0, 1.0);
  const glm::dvec4 far = back_ * glm::dvec4(x, y, 1.0, 1.0);
  ViewRay ray;
  ray.origin = glm::dvec3(near) / near.w;
  ray.direction = glm::normalize(glm::dvec3(far) / far.w - ray.origin);
  return ray;
}

std::optional<glm::dvec3> ViewProjection::onPlane(const QPointF& place, const glm::dvec3& point,
                                                  const glm::dvec3& normal) const {
  const ViewRay ray = this->ray(place);
  const double slope = glm::dot(ray.direction, normal);
  if (std::abs(slope) < kNearlyParallel) return std::nullopt;
  const double distance = glm::dot(point - ray.origin, normal) / slope;
  if (distance < 0.0) return std::nullopt;
  return ray.origin + ray.direction * distance;
}

std::optional<double> ViewProjection::alongLine(const QPointF& place, const glm::dvec3& point,
                                                const glm::dvec3& along) const {
  const ViewRay ray = this->ray(place);
  const double slope = glm::dot(ray.direction, along);
  const double apart = 1.0 - slope * slope;
  if (apart < kNearlyParallel) return std::nullopt;
  const glm::dvec3 way = point - ray.origin;
  return (slope * glm::dot(way, ray.direction) - glm::dot(way, along)) / apart;
}

double ViewProjection::metersPerPixel(const glm::dvec3& world) const {
  const glm::dvec4 clip = projection_ * (view_ * glm::dvec4(world, 1.0));
  return 2.0 * std::max(clip.w, 0.0) / (projection_[1][1] * std::max(1.0, size_.height()));
}

double distanceToLine(const QPointF& place, const QPointF& from, const QPointF& to) {
  const QPointF way = to - from;
  const double square = QPointF::dotProduct(way, way);
  const double along =
      square > 0.0 ? std::clamp(QPointF::dotProduct(place - from, way) / square, 0.0, 1.0) : 0.0;
  const QPointF off = from + way * along - place;
  return std::hypot(off.x(), off.y());
}

}  // namespace ck::ui
