#include "ui/viewport/camera_controller.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>

#include "render/view/framing.h"

namespace ck::ui {
namespace {

constexpr double kOrbitRadiansPerPixel = 0.008;
constexpr double kDollyStepsPerPixel = 0.02;

}  // namespace

bool CameraController::press(const QMouseEvent& event) {
  const bool alt = event.modifiers() & Qt::AltModifier;
  const bool shift = event.modifiers() & Qt::ShiftModifier;
  const bool control = event.modifiers() & Qt::ControlModifier;
  last_ = event.pos();
  drag_ = Drag::None;
  if (event.button() == Qt::MiddleButton) {
    drag_ = shift || alt ? Drag::Pan : control ? Drag::Dolly : Drag::Orbit;
  } else if (alt && event.button() == Qt::LeftButton) {
    drag_ = Drag::Orbit;
  } else if (alt && event.button() == Qt::RightButton) {
    drag_ = Drag::Dolly;
  }
  return drag_ != Drag::None;
}

void CameraController::move(const QMouseEvent& event) {
  const QPoint moved = event.pos() - last_;
  last_ = event.pos();
  switch (drag_) {
    case Drag::None:
      return;
    case Drag::Orbit:
      render::orbit(camera_, -moved.x() * kOrbitRadiansPerPixel, moved.y() * kOrbitRadiansPerPixel);
      break;
    case Drag::Pan:
      render::pan(camera_, moved.x(), moved.y(), view_.height());
      break;
    case Drag::Dolly:
      render::dolly(camera_, -moved.y() * kDollyStepsPerPixel);
      break;
  }
  moveByArtist();
}

void CameraController::wheel(const QWheelEvent& event) {
  render::dolly(camera_, event.angleDelta().y() / 120.0);
  moveByArtist();
}

void CameraController::moveByArtist() {
  framesNewcomers_ = false;
  emit moved();
}

void CameraController::frame(const CrowdView& crowd, std::span<const render::CharacterEntry> cast,
                             std::span<const std::uint32_t> only) {
  const double aspect = double(view_.width()) / std::max(1, view_.height());
  render::frameActors(camera_, crowd, cast, aspect, only);
  if (!only.empty()) framesNewcomers_ = false;
  emit moved();
}

void CameraController::followRig(const Character* rig) {
  const std::string source = rig != nullptr ? rig->source.path : std::string();
  const double scale = rig != nullptr ? rig->source.unitScale : 0.0;
  if (source == framedSource_ && scale == framedScale_) return;
  framedSource_ = source;
  framedScale_ = scale;
  isFramingSoon_ = rig != nullptr && !keepsPlace_;
  if (rig != nullptr) keepsPlace_ = false;
}

CameraPlace CameraController::place() const {
  return {camera_.target, camera_.distance, camera_.yaw, camera_.pitch};
}

void CameraController::setPlace(const CameraPlace& place) {
  camera_.target = place.target;
  camera_.distance = place.distance;
  camera_.yaw = place.yaw;
  camera_.pitch = place.pitch;
  isFramingSoon_ = framesNewcomers_ = false;
  keepsPlace_ = framedSource_.empty();
  emit moved();
}

void CameraController::frameIfDue(const CrowdView& crowd,
                                  std::span<const render::CharacterEntry> cast, bool isReading) {
  if (!isFramingSoon_ || crowd.size() == 0) return;
  isFramingSoon_ = false;
  frame(crowd, cast);
  framesNewcomers_ = isReading;
}

}  // namespace ck::ui
