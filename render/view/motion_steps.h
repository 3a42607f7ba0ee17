#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "render/gl/framebuffer.h"
#include "render/view/playing.h"

namespace ck::render {

// What the motion view compares two ticks by: where all vertices were in the tick before, and from
// where a camera saw them. Trails are kept only while the motion view shows them, so that they are
// not those of the tick before where it has been switched on since; nothing has moved then.
class MotionSteps {
 public:
  // How a moment comes after the last tick.
  struct Moment {
    bool shown = false;    // by the motion view
    bool goesOn = false;   // the same crowds as in the last tick
    bool movesOn = false;  // and time has passed
  };

  // World to eye in the next tick; none where nobody looks.
  void look(const std::optional<glm::dmat4>& view) { view_ = view; }

  // To be called before and after a tick, or once where none is due. All fail with LimitExceeded,
  // and as drawing does.
  Result<void> beforeTick(std::span<const Playing> playing, const Moment& moment);
  Result<void> afterTick(std::span<const Playing> playing, const Moment& moment);
  Result<void> betweenTicks(std::span<const Playing> playing, const Moment& moment);

  // What the camera has done between the two: DrawPass::cameraStep.
  const glm::dmat4& cameraStep() const { return cameraStep_; }

 private:
  Result<void> keep(std::span<const Playing> playing, bool onlyMissing);
  void stepCamera(bool movesOn);

  std::optional<Target> nowhere_;  // drawing into nothing still takes a framebuffer
  bool kept_ = false;  // the motion vectors and the camera's step belong to the last tick
  std::optional<glm::dmat4> view_;
  std::optional<glm::dmat4> tickView_;
  glm::dmat4 cameraStep_{1.0};
};

}  // namespace ck::render
