#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "render/gl/framebuffer.h"
#include "render/view/playing.h"

namespace ck::render {

// Tracks what the motion view compares: all vertex positions of the previous tick, and its camera.
// Positions are stored only while the motion view is shown. In the first frame of the motion view
// nothing has moved.
class MotionSteps {
 public:
  // How the current frame relates to the last tick.
  struct Moment {
    bool motionView = false;  // whether the motion view is drawn
    bool goesOn = false;      // the same crowds as in the last tick
    bool movesOn = false;     // and time has passed
  };

  // The world-to-eye matrix of the next tick; nothing without a camera.
  void look(const std::optional<glm::dmat4>& view) { view_ = view; }

  // Called before and after a tick, or once if no tick is due. All fail with LimitExceeded, and as
  // drawing does.
  Result<void> beforeTick(std::span<const Playing> playing, const Moment& moment);
  Result<void> afterTick(std::span<const Playing> playing, const Moment& moment);
  Result<void> betweenTicks(std::span<const Playing> playing, const Moment& moment);

  // The camera's movement between both ticks, for DrawPass::cameraStep.
  const glm::dmat4& cameraStep() const { return cameraStep_; }

 private:
  Result<void> keep(std::span<const Playing> playing, bool onlyMissing);
  void stepCamera(bool movesOn);

  // Transform feedback needs a framebuffer, even without rasterisation.
  std::optional<Target> nowhere_;
  bool kept_ = false;  // whether positions and camera step are those of the last tick
  std::optional<glm::dmat4> view_;
  std::optional<glm::dmat4> tickView_;
  glm::dmat4 cameraStep_{1.0};
};

}  // namespace ck::render
