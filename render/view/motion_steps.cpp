#include "render/view/motion_steps.h"

#include <epoxy/gl.h>

namespace ck::render {

Result<void> MotionSteps::keep(std::span<const Playing> playing, bool onlyMissing) {
  const KeptFramebuffer kept;
  if (!nowhere_) {
    auto target = Target::make(1, 1, TargetFormat::Rgba8);
    if (!target) return tl::unexpected(target.error());
    nowhere_ = std::move(*target);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, nowhere_->name());
  for (const auto& [characterRenderer, character, chosen] : playing) {
    if (onlyMissing && characterRenderer->hasPositions()) continue;
    if (auto done = characterRenderer->keepPositions(); !done) return done;
  }
  return {};
}

// A crowd that is not the continuation of the last one is new, and nothing has moved.
void MotionSteps::stepCamera(bool movesOn) {
  const bool moved = movesOn && view_ && tickView_ && *view_ != *tickView_;
  cameraStep_ = moved ? glm::inverse(*view_) * *tickView_ : glm::dmat4(1.0);
  tickView_ = view_;
}

Result<void> MotionSteps::beforeTick(std::span<const Playing> playing, const Moment& moment) {
  return moment.motionView && moment.movesOn ? keep(playing, false) : Result<void>();
}

Result<void> MotionSteps::afterTick(std::span<const Playing> playing, const Moment& moment) {
  const bool anew = moment.movesOn || !moment.goesOn;
  if (anew) {
    stepCamera(moment.movesOn);
    kept_ = moment.movesOn && moment.motionView;
  }
  return betweenTicks(playing, moment);
}

Result<void> MotionSteps::betweenTicks(std::span<const Playing> playing, const Moment& moment) {
  if (!moment.motionView) return {};
  if (auto done = keep(playing, kept_); !done) return done;
  if (!kept_) cameraStep_ = glm::dmat4(1.0);
  kept_ = true;
  return {};
}

}  // namespace ck::render
