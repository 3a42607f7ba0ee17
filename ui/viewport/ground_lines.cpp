#include "ui/viewport/ground_lines.h"

#include <QPainter>
#include <QPen>
#include <algorithm>

namespace ck::ui {
namespace {

// Farther away is as good as the horizon.
constexpr double kFarthestMeters = 5000.0;
// A leg is bent by the ground and by perspective behind the eye.
constexpr int kPartsOfLeg = 24;

}  // namespace

std::optional<glm::dvec3> groundPoint(const ViewProjection& view, const QPointF& place,
                                      const GroundMesh* ground) {
  const ViewRay ray = view.ray(place);
  std::optional<glm::dvec3> point;
  if (ground) point = ground->hit(ray.origin, ray.direction);
  if (!point) point = view.onPlane(place, glm::dvec3(0.0), glm::dvec3(0.0, 1.0, 0.0));
  if (point && glm::distance(*point, view.eye()) > kFarthestMeters) return std::nullopt;
  return point;
}

glm::dvec3 onGround(const glm::dvec2& place, const GroundMesh* ground) {
  return {place.x, ground ? ground->nearestHeight(place) : 0.0, place.y};
}

std::vector<QPolygonF> groundLine(const ViewProjection& view, std::span<const glm::dvec2> places,
                                  bool closed, const GroundMesh* ground) {
  std::vector<QPolygonF> lines(1);
  const auto add = [&](const glm::dvec2& place) {
    if (const auto at = view.at(onGround(place, ground))) {
      lines.back() << *at;
    } else if (!lines.back().isEmpty()) {
      lines.emplace_back();
    }
  };
  const std::size_t legs = places.empty() ? 0 : places.size() - (closed ? 0 : 1);
  for (std::size_t leg = 0; leg < legs; ++leg) {
    const glm::dvec2 to = places[(leg + 1) % places.size()];
    for (int part = leg == 0 ? 0 : 1; part <= kPartsOfLeg; ++part) {
      add(glm::mix(places[leg], to, double(part) / kPartsOfLeg));
    }
  }
  return lines;
}

void paintLines(QPainter& painter, const std::vector<QPolygonF>& lines, const QColor& color,
                double width, Qt::PenStyle style) {
  painter.setBrush(Qt::NoBrush);
  const QPen pens[] = {QPen(QColor(0, 0, 0, 130), width + 2.0, style, Qt::RoundCap, Qt::RoundJoin),
                       QPen(color, width, style, Qt::RoundCap, Qt::RoundJoin)};
  for (const QPen& pen : pens) {
    painter.setPen(pen);
    for (const QPolygonF& line : lines) painter.drawPolyline(line);
  }
}

}  // namespace ck::ui
