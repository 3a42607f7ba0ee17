#include "ui/viewport/camera_controller.h"

#include <QApplication>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QSettings>
#include <QTimerEvent>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "render/view/framing.h"

namespace ck::ui {
namespace {

constexpr double kOrbitRadiansPerPixel = 0.008;
constexpr double kLookRadiansPerPixel = 0.004;
constexpr double kDollyStepsPerPixel = 0.02;
constexpr double kOrbitRadiansPerKey = 0.13;  // 7.5 degrees
constexpr int kGlideMs = 150;
constexpr int kFlightMs = 16;
constexpr int kClickPixels = 4;  // a right press that moves less is a click
constexpr double kFasterFactor = 4.0;
constexpr double kSpeedStep = 1.25;  // factor of the flight's speed per wheel click
// A second of flight covers this share of the distance to the target.
constexpr double kFlightShare = 0.7;
// A step of flight is at most this long, however late its timer is.
constexpr double kLongestStepSeconds = 0.1;

constexpr double kSteepPitch = 1.4;  // radians; from where even sunken actors are seen

const QString kReduceMotion = QStringLiteral("reduceMotion");

double stepsOf(const QWheelEvent& event) {
  return event.angleDelta().y() / 120.0;
}

// Two fingers on a trackpad, and not the wheel of a mouse.
bool isScroll(const QWheelEvent& event) {
  if (event.pixelDelta().isNull()) return false;
  const QPointingDevice* device = event.pointingDevice();
  const bool isPad = device && device->type() == QInputDevice::DeviceType::TouchPad;
  return isPad || event.angleDelta().isNull() || event.phase() != Qt::NoScrollPhase;
}

}  // namespace

CameraPlace placeOf(const render::Camera& camera) {
  return {camera.target, camera.distance, camera.yaw, camera.pitch, camera.orthographic};
}

render::Camera cameraAt(const CameraPlace& place) {
  render::Camera camera;
  camera.target = place.target;
  camera.distance = place.distance;
  camera.yaw = place.yaw;
  camera.pitch = place.pitch;
  camera.orthographic = place.orthographic;
  return camera;
}

bool reducesMotion() {
  return QSettings().value(kReduceMotion, false).toBool();
}

void setReducesMotion(bool reduces) {
  QSettings().setValue(kReduceMotion, reduces);
}

CameraController::CameraController(const QWidget& view) : view_(view) {
  glide_.setDuration(kGlideMs);
  glide_.setStartValue(0.0);
  glide_.setEndValue(1.0);
  glide_.setEasingCurve(QEasingCurve::OutCubic);
  connect(&glide_, &QVariantAnimation::valueChanged, this, [this](const QVariant& share) {
    camera_ = render::between(from_, to_, share.toDouble());
    emit moved();
  });
  connect(&glide_, &QVariantAnimation::finished, this, [this] {
    camera_ = to_;
    emit moved();
  });
}

template <class Change>
void CameraController::change(Change change) {
  glide_.stop();
  framesNewcomers_ = false;
  const render::Camera before = camera_;
  change(camera_);
  render::keepAboveGround(camera_, before);
  emit moved();
}

// Window managers take Alt with a button for themselves; with Ctrl it reaches us.
CameraController::Drag CameraController::dragOf(const QMouseEvent& event) const {
  const bool alt = event.modifiers() & Qt::AltModifier;
  const bool shift = event.modifiers() & Qt::ShiftModifier;
  const bool control = event.modifiers() & Qt::ControlModifier;
  switch (event.button()) {
    case Qt::MiddleButton:
      return shift || alt ? Drag::Pan : control ? Drag::Dolly : Drag::Orbit;
    case Qt::LeftButton:
      if (spaceHeld_) return shift ? Drag::Pan : Drag::Orbit;
      return alt ? Drag::Orbit : Drag::None;
    case Qt::RightButton:
      return alt ? Drag::Dolly : Drag::Fly;
    default:
      return Drag::None;
  }
}

bool CameraController::press(const QMouseEvent& event) {
  if (drag_ != Drag::None) return true;
  pressed_ = last_ = event.pos();
  drag_ = dragOf(event);
  button_ = event.button();
  isClick_ = drag_ == Drag::Fly;
  if (drag_ == Drag::Fly) startFlight();
  spaceUsed_ = spaceUsed_ || (spaceHeld_ && drag_ != Drag::None);
  return drag_ != Drag::None;
}

void CameraController::move(const QMouseEvent& event) {
  if (drag_ == Drag::None) return;
  if (isClick_ && (event.pos() - pressed_).manhattanLength() <= kClickPixels) return;
  isClick_ = false;
  const QPoint moved = event.pos() - last_;
  last_ = event.pos();
  change([&](render::Camera& camera) {
    switch (drag_) {
      case Drag::None:
        break;
      case Drag::Orbit:
        render::orbit(camera, -moved.x() * kOrbitRadiansPerPixel,
                      moved.y() * kOrbitRadiansPerPixel);
        break;
      case Drag::Pan:
        render::pan(camera, moved.x(), moved.y(), view_.height());
        break;
      case Drag::Dolly:
        render::dolly(camera, -moved.y() * kDollyStepsPerPixel);
        break;
      case Drag::Fly:
        render::look(camera, -moved.x() * kLookRadiansPerPixel, moved.y() * kLookRadiansPerPixel);
        break;
    }
  });
}

bool CameraController::release(const QMouseEvent& event) {
  if (drag_ != Drag::None && event.button() != button_) return false;
  const bool clicked = isClick_ && drag_ == Drag::Fly && event.button() == Qt::RightButton;
  drag_ = Drag::None;
  isClick_ = false;
  keys_.clear();
  flight_.stop();
  return clicked;
}

void CameraController::wheel(const QWheelEvent& event) {
  if (isFlying()) {
    isClick_ = false;
    metersPerSecond_ *= std::pow(kSpeedStep, stepsOf(event));
    emit moved();  // the speed is shown
    return;
  }
  if (isScroll(event) && !(event.modifiers() & Qt::ControlModifier)) {
    const QPoint by = event.pixelDelta();
    change([&](render::Camera& camera) { render::pan(camera, by.x(), by.y(), view_.height()); });
    return;
  }
  const double steps =
      isScroll(event) ? event.pixelDelta().y() * kDollyStepsPerPixel : stepsOf(event);
  change([&](render::Camera& camera) { render::dolly(camera, steps); });
}

bool CameraController::gesture(const QNativeGestureEvent& event) {
  if (event.gestureType() != Qt::ZoomNativeGesture) return false;
  // 0.1 makes things a tenth larger.
  const double factor = std::max(0.1, 1.0 + event.value());
  change([&](render::Camera& camera) { render::zoom(camera, factor); });
  return true;
}

bool CameraController::wantsKey(const QKeyEvent& event) const {
  if (isFlying()) return flightKeyOf(event.nativeScanCode(), event.key()).has_value();
  return event.key() == Qt::Key_Space && event.modifiers() == Qt::NoModifier;
}

bool CameraController::keyPress(const QKeyEvent& event) {
  if (event.key() == Qt::Key_Shift) faster_ = true;
  if (isFlying()) {
    if (!keys_.press(event)) return event.key() == Qt::Key_Shift;
    isClick_ = false;
    if (!flight_.isActive()) {
      sinceStep_.start();
      flight_.start(kFlightMs, Qt::PreciseTimer, this);
    }
    return true;
  }
  if (event.key() == Qt::Key_Space && event.modifiers() == Qt::NoModifier) {
    if (!event.isAutoRepeat()) spaceUsed_ = false;
    spaceHeld_ = true;
    return true;
  }
  const auto orbit = [this](int right, int down) {
    turn(right * kOrbitRadiansPerKey, down * kOrbitRadiansPerKey);
    return true;
  };
  const auto dolly = [this](double steps) {
    change([&](render::Camera& camera) { render::dolly(camera, steps); });
    return true;
  };
  const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
  if (modifiers == Qt::ControlModifier) {
    switch (event.key()) {
      case Qt::Key_Left:
        return orbit(-1, 0);
      case Qt::Key_Right:
        return orbit(1, 0);
      case Qt::Key_Up:
        return orbit(0, 1);
      case Qt::Key_Down:
        return orbit(0, -1);
      default:
        return false;
    }
  }
  if ((modifiers & ~Qt::ShiftModifier) != Qt::NoModifier) return false;
  switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return dolly(1.0);
    case Qt::Key_Minus:
      return dolly(-1.0);
    default:
      return false;
  }
}

bool CameraController::keyRelease(const QKeyEvent& event) {
  if (event.key() == Qt::Key_Shift) faster_ = false;
  if (keys_.release(event)) {
    if (!keys_.any()) flight_.stop();
    return isFlying();
  }
  if (event.key() != Qt::Key_Space || event.isAutoRepeat() || !spaceHeld_) return false;
  spaceHeld_ = false;
  if (!std::exchange(spaceUsed_, false)) emit spaceTapped();
  return true;
}

void CameraController::letGo() {
  drag_ = Drag::None;
  isClick_ = spaceHeld_ = spaceUsed_ = faster_ = false;
  keys_.clear();
  flight_.stop();
}

void CameraController::startFlight() {
  metersPerSecond_ = std::max(0.2, camera_.distance * kFlightShare);
  faster_ = QApplication::keyboardModifiers() & Qt::ShiftModifier;
}

void CameraController::timerEvent(QTimerEvent*) {
  const double seconds = std::min(double(sinceStep_.restart()) / 1000.0, kLongestStepSeconds);
  const double meters = metersPerSecond_ * (faster_ ? kFasterFactor : 1.0) * seconds;
  const glm::dvec3 way = keys_.direction() * meters;
  change([&](render::Camera& camera) {
    if (!camera.orthographic) return render::fly(camera, way);
    // Without perspective only the scale shows that the camera comes nearer.
    render::fly(camera, {way.x, way.y, 0.0});
    render::zoom(camera, std::exp(way.z / camera.distance));
  });
}

void CameraController::go(const render::Camera& camera) {
  framesNewcomers_ = false;
  glide_.stop();
  if (!glides_ || reducesMotion() || !render::isSound(camera_) || !view_.isVisible()) {
    camera_ = camera;
    emit moved();
    return;
  }
  from_ = camera_;
  to_ = camera;
  glide_.start();
}

void CameraController::place(const CameraPlace& place) {
  glide_.stop();
  const render::Camera there = cameraAt(place);
  camera_ = render::isSound(there) ? there : render::Camera{};
  isFramingSoon_ = framesNewcomers_ = false;
  isPlaced_ = true;
  emit moved();
}

void CameraController::turn(double deltaYaw, double deltaPitch) {
  change([&](render::Camera& camera) { render::orbit(camera, deltaYaw, deltaPitch); });
}

render::Camera CameraController::framed(const render::Camera& now, const CrowdView& crowd,
                                        std::span<const render::CharacterEntry> cast,
                                        std::span<const std::uint32_t> only) const {
  const double aspect = double(view_.width()) / std::max(1, view_.height());
  render::Camera camera = render::isSound(now) ? now : render::Camera{};
  const bool any = crowd.size() > 0 && !cast.empty();
  const render::Camera usual;
  const bool wasAbove = render::eyeOf(camera).y >= 0.0;
  if (any) render::frameActors(camera, crowd, cast, aspect, only);
  // From as far as all are seen, a look upwards would come from below the ground; all are never
  // framed from there, so that this is the way back from anywhere.
  if (any && (wasAbove || only.empty())) {
    for (const double pitch : {wasAbove ? 0.0 : usual.pitch, usual.pitch, kSteepPitch}) {
      if (render::eyeOf(camera).y >= render::lowestEye(camera)) break;
      camera.pitch = pitch;
      render::frameActors(camera, crowd, cast, aspect, only);
    }
  }
  if (any && render::isSound(camera)) return camera;
  render::Camera fresh;
  fresh.orthographic = now.orthographic;
  return fresh;
}

void CameraController::frame(const CrowdView& crowd, std::span<const render::CharacterEntry> cast,
                             std::span<const std::uint32_t> only) {
  const bool kept = framesNewcomers_ && only.empty();
  go(framed(destination(), crowd, cast, only));
  framesNewcomers_ = kept;
}

void CameraController::frameSoon() {
  isFramingSoon_ = true;
  isPlaced_ = false;
}

void CameraController::followRig(const Character* rig) {
  const std::string source = rig != nullptr ? rig->source.path : std::string();
  const double scale = rig != nullptr ? rig->source.unitScale : 0.0;
  if (source == framedSource_ && scale == framedScale_) return;
  framedSource_ = source;
  framedScale_ = scale;
  if (rig != nullptr && std::exchange(isPlaced_, false)) return;
  isFramingSoon_ = rig != nullptr;
}

void CameraController::frameIfDue(const CrowdView& crowd,
                                  std::span<const render::CharacterEntry> cast, bool isReading) {
  if (!isFramingSoon_ || crowd.size() == 0) return;
  isFramingSoon_ = false;
  glide_.stop();
  camera_ = framed(destination(), crowd, cast, {});
  framesNewcomers_ = isReading;
  emit moved();
}

}  // namespace ck::ui
