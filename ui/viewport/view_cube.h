#pragma once

#include <QPointF>
#include <QWidget>
#include <glm/glm.hpp>
#include <optional>

#include "render/scene/camera.h"

namespace ck::ui {

class ViewportWidget;

// The camera as it sees its target from a direction, whose parts are -1, 0 or 1: (0, 0, 1) is the
// front, (1, 1, 0) an edge. From above and below it keeps the nearest quarter turn. A camera that
// looks from there already gets the opposite view.
render::Camera viewFrom(const render::Camera& camera, const glm::ivec3& direction);

// A cube that turns with the camera, in a corner of the view. A click on a face, an edge or a
// corner gives that view, a second one the opposite; a drag orbits. Below it, perspective and
// orthographic are changed.
class ViewCube : public QWidget {
  Q_OBJECT

 public:
  explicit ViewCube(ViewportWidget& viewport, QWidget* parent = nullptr);

  // The direction from which a click at this place of the widget looks; nothing beside the cube.
  std::optional<glm::ivec3> directionAt(const QPointF& place) const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void hover(const QPointF& place);
  void toggleOrthographic();

  ViewportWidget& viewport_;
  std::optional<glm::ivec3> hovered_;
  bool wordHovered_ = false;
  bool isPressed_ = false;
  bool isDragged_ = false;
  QPointF pressed_;
  QPointF last_;
};

}  // namespace ck::ui
