#pragma once

#include <QObject>
#include <QPoint>
#include <span>
#include <string>

#include "core/crowd/mixed_crowd.h"
#include "render/scene/camera.h"
#include "render/view/cast_entry.h"

class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace ck::ui {

// The camera of a view: drags and the wheel move it, and it frames actors.
class CameraController : public QObject {
  Q_OBJECT

 public:
  // `view` gives the size of the picture in pixels and must outlive the controller.
  explicit CameraController(const QWidget& view) : view_(view) {}

  const render::Camera& camera() const { return camera_; }

  // Whether the press starts a drag of the camera: middle button, or Alt with another.
  bool press(const QMouseEvent& event);
  void move(const QMouseEvent& event);  // nothing without a drag
  void release() { drag_ = Drag::None; }
  void wheel(const QWheelEvent& event);

  // The visible actors `only`, or all. Actors that come later leave the camera where it is.
  void frame(const CrowdView& crowd, std::span<const render::CastEntry> cast,
             std::span<const std::uint32_t> only = {});

  // All actors are framed as soon as there are any.
  void frameSoon() { isFramingSoon_ = true; }
  // The same where this rig is another than before, or has another size. Without a rig, null, the
  // camera starts anew with the next one.
  void followRig(const Character* rig);
  // The same where the artist has not moved the camera since characters were still being read.
  void followNewcomers() { isFramingSoon_ = isFramingSoon_ || framesNewcomers_; }
  // Frames what is due. `isReading`: whether further characters are on their way.
  void frameIfDue(const CrowdView& crowd, std::span<const render::CastEntry> cast, bool isReading);

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
};

}  // namespace ck::ui
