#include "render/scene/scene_look.h"

#include <algorithm>

namespace ck::render {

SceneLook lookOf(const Camera& camera, double aspect) {
  SceneLook look;
  look.aspect = static_cast<float>(aspect);
  look.viewProjection = projectionMatrix(camera, aspect) * viewMatrix(camera);
  look.eye = glm::vec3(eyeOf(camera));
  if (camera.orthographic) look.towardsEye = glm::vec3(towardsEye(camera));
  look.focusMeters = static_cast<float>(std::max(camera.distance, 1e-3));
  look.fogMeters = static_cast<float>(std::max(70.0, camera.distance * 3.6));
  return look;
}

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
