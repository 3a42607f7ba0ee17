#pragma once

#include <QObject>
#include <QPoint>
#include <span>
#include <string>

#include "core/crowd/mixed_crowd.h"
#include "core/project/desk.h"
#include "render/scene/camera.h"
#include "render/view/character_entry.h"

class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace ck::ui {

// The camera of a view. Drags and the wheel move it, and it can frame actors.
class CameraController : public QObject {
  Q_OBJECT

 public:
  // `view` provides the size in pixels and must outlive the controller.
  explicit CameraController(const QWidget& view) : view_(view) {}

  const render::Camera& camera() const { return camera_; }

  // Where the camera stands, to be kept and restored.
  CameraPlace place() const;
  // The rig that is being read then does not move the camera.
  void setPlace(const CameraPlace& place);

  // Returns true if the press starts a camera drag: middle button, or Alt with another button.
  bool press(const QMouseEvent& event);
  void move(const QMouseEvent& event);  // ignored without a drag
  void release() { drag_ = Drag::None; }
  void wheel(const QWheelEvent& event);

  // Frames the visible actors `only`, or all. Actors that are added later do not move the camera.
  void frame(const CrowdView& crowd, std::span<const render::CharacterEntry> cast,
             std::span<const std::uint32_t> only = {});

  // Frames all actors as soon as there are any.
  void frameSoon() {
    isFramingSoon_ = true;
    keepsPlace_ = false;
  }
  // Calls frameSoon() if the rig or its size has changed. With null the next rig is framed.
  void followRig(const Character* rig);
  // Calls frameSoon() if the user has not moved the camera since characters were still being read.
  void followNewcomers() { isFramingSoon_ = isFramingSoon_ || framesNewcomers_; }
  // Frames the actors if it is due. `isReading`: whether further characters are being read.
  void frameIfDue(const CrowdView& crowd, std::span<const render::CharacterEntry> cast,
                  bool isReading);

 signals:
  void moved();

 private:
  enum class Drag { None, Orbit, Pan, Dolly };

  void moveByArtist();

  const QWidget& view_;
  render::Camera camera_;
  Drag drag_ = Drag::None;
  QPoint last_;
  // The rig and its size for which the camera was placed.
  std::string framedSource_;
  double framedScale_ = 0.0;
  bool isFramingSoon_ = false;
  bool framesNewcomers_ = false;
  bool keepsPlace_ = false;  // when the next rig comes
};

}  // namespace ck::ui
