#pragma once

#include <QColor>
#include <QPolygonF>
#include <optional>
#include <span>
#include <vector>

#include "core/project/ground_mesh.h"
#include "ui/viewport/view_projection.h"

class QPainter;

namespace ck::ui {

// Places and lines on the ground, which is a mesh or, without one, the plane y = 0.

// Where the ground is at a place of the view. Nothing above the horizon.
std::optional<glm::dvec3> groundPoint(const ViewProjection& view, const QPointF& place,
                                      const GroundMesh* ground);

// The point of the ground at (x, z).
glm::dvec3 onGround(const glm::dvec2& place, const GroundMesh* ground);

// A line over the ground through these places as polygons of the view; it is broken where it is
// behind the eye.
std::vector<QPolygonF> groundLine(const ViewProjection& view, std::span<const glm::dvec2> places,
                                  bool closed, const GroundMesh* ground);

// Draws lines in a colour with a dark border, so that they are seen on any ground.
void paintLines(QPainter& painter, const std::vector<QPolygonF>& lines, const QColor& color,
                double width, Qt::PenStyle style = Qt::SolidLine);

}  // namespace ck::ui
