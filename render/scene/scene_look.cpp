#include "render/scene/scene_look.h"

namespace ck::render {

void setLook(const Program& program, const SceneLook& look) {
  program.set("ckViewProjection", look.viewProjection);
  program.set("ckEye", look.eye);
  program.set("ckSight",
              look.towardsEye ? glm::vec4(*look.towardsEye, 0.0f) : glm::vec4(look.eye, 1.0f));
  program.set("ckFogMeters", look.fogMeters);
  program.set("ckFocusMeters", look.focusMeters);
  program.set("ckErrorScale", look.errorScaleMeters);
  program.set("ckMotionScale", look.motionScaleMeters);
  program.set("ckAspect", look.aspect);
  const ShadowLook& shadows = look.shadows;
  if (shadows.count == 0) return;
  const auto maps = static_cast<std::size_t>(shadows.count);
  program.set("ckShadowCount", shadows.count);
  program.set("ckShadowFromWorld", shadows.fromWorld);
  program.set("ckShadowBoxes", std::span(shadows.boxes).first(maps));
  program.set("ckShadowTexels", std::span(shadows.texelMeters).first(maps));
}

}  // namespace ck::render
