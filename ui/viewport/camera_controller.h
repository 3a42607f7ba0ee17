#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>
#include <QPoint>
#include <QVariantAnimation>
#include <optional>
#include <span>
#include <string>

#include "core/crowd/mixed_crowd.h"
#include "core/project/desk.h"
#include "render/scene/camera.h"
#include "render/view/character_entry.h"
#include "ui/viewport/flight_keys.h"

class QKeyEvent;
class QMouseEvent;
class QNativeGestureEvent;
class QWheelEvent;
class QWidget;

namespace ck::ui {

// Where a camera of a project stands, and back. Values that it lacks are those of Camera{}.
CameraPlace placeOf(const render::Camera& camera);
render::Camera cameraAt(const CameraPlace& place);

// Whether the artist wants views to change at once instead of in 150 ms. Kept in the settings.
bool reducesMotion();
void setReducesMotion(bool reduces);

// The camera of a view. Drags, the wheel, a trackpad and keys move it, it flies while the right
// button is held, and it can frame actors. None of these brings the eye below the ground
// (render::keepAboveGround).
class CameraController : public QObject {
  Q_OBJECT

 public:
  // `view` provides the size in pixels and must outlive the controller.
  explicit CameraController(const QWidget& view);

  const render::Camera& camera() const { return camera_; }

  // Returns true if the press starts a camera drag: the middle button, the right one, Alt with any
  // button, or Space with the left one.
  bool press(const QMouseEvent& event);
  void move(const QMouseEvent& event);  // ignored without a drag
  // Returns true if this ends a right click that has neither moved nor flown.
  bool release(const QMouseEvent& event);
  void wheel(const QWheelEvent& event);
  bool gesture(const QNativeGestureEvent& event);  // a pinch; returns whether it was one

  // Whether a key is the camera's now, before any shortcut is: keys that fly, and Space.
  bool wantsKey(const QKeyEvent& event) const;
  // Return whether the camera takes the key.
  bool keyPress(const QKeyEvent& event);
  bool keyRelease(const QKeyEvent& event);
  // All keys and buttons are up: the view has lost the focus.
  void letGo();
  bool isFlying() const { return drag_ == Drag::Fly; }
  // Metres a second, once a flight has moved or turned the camera.
  std::optional<double> flightSpeed() const {
    return isFlying() && !isClick_ ? std::optional(metersPerSecond_) : std::nullopt;
  }

  // Moves the camera there within 150 ms, or at once if `glides` is off. Nothing but this glides.
  void go(const render::Camera& camera);
  void setGliding(bool glides) { glides_ = glides; }
  // Where a glide leads to, or the camera.
  const render::Camera& destination() const { return isGliding() ? to_ : camera_; }

  // Puts the camera there at once. The rig that is read next does not move it.
  void place(const CameraPlace& place);
  void turn(double deltaYaw, double deltaPitch);  // about the target, as a drag does

  // Frames the visible actors `only`, or all. Actors that are added later do not move the camera.
  // Mends any camera; without actors it goes where a new one stands.
  void frame(const CrowdView& crowd, std::span<const render::CharacterEntry> cast,
             std::span<const std::uint32_t> only = {});

  // `now` moved so that it shows all actors, or `only` these, always above the ground if all.
  render::Camera framed(const render::Camera& now, const CrowdView& crowd,
                        std::span<const render::CharacterEntry> cast,
                        std::span<const std::uint32_t> only) const;

  // Frames all actors as soon as there are any.
  void frameSoon();
  // Calls frameSoon() if the rig or its size has changed. With null the next rig is framed.
  void followRig(const Character* rig);
  // Calls frameSoon() if the user has not moved the camera since characters were still being read.
  void followNewcomers() { isFramingSoon_ = isFramingSoon_ || framesNewcomers_; }
  // Frames the actors if it is due, at once. `isReading`: whether further characters are being
  // read.
  void frameIfDue(const CrowdView& crowd, std::span<const render::CharacterEntry> cast,
                  bool isReading);

 signals:
  void moved();
  // Space was pressed and released without a drag.
  void spaceTapped();

 protected:
  void timerEvent(QTimerEvent* event) override;

 private:
  enum class Drag { None, Orbit, Pan, Dolly, Fly };

  Drag dragOf(const QMouseEvent& event) const;
  void startFlight();
  bool isGliding() const { return glide_.state() == QAbstractAnimation::Running; }
  // Applies a change that the artist makes to the camera.
  template <class Change>
  void change(Change change);

  const QWidget& view_;
  render::Camera camera_;
  Drag drag_ = Drag::None;
  Qt::MouseButton button_ = Qt::NoButton;  // that has begun the drag, and ends it
  QPoint pressed_;
  QPoint last_;
  bool isClick_ = false;  // whether the right button may still be a click
  bool spaceHeld_ = false;
  bool spaceUsed_ = false;  // for a drag

  FlightKeys keys_;
  bool faster_ = false;
  double metersPerSecond_ = 0.0;
  QBasicTimer flight_;
  QElapsedTimer sinceStep_;

  QVariantAnimation glide_;
  render::Camera from_;
  render::Camera to_;
  bool glides_ = true;

  // The rig and its size for which the camera was placed.
  std::string framedSource_;
  double framedScale_ = 0.0;
  bool isFramingSoon_ = false;
  bool framesNewcomers_ = false;
  bool isPlaced_ = false;  // the next rig does not move the camera
};

}  // namespace ck::ui
