#include "render/scene/scene_look.h"

#include <iterator>

namespace ck::render {
namespace {

constexpr const char* kBoxes[] = {"ckShadowBoxes[0]", "ckShadowBoxes[1]", "ckShadowBoxes[2]"};
constexpr const char* kTexels[] = {"ckShadowTexels[0]", "ckShadowTexels[1]", "ckShadowTexels[2]"};
static_assert(std::size(kBoxes) == ShadowLook::kMost && std::size(kTexels) == ShadowLook::kMost);

void setShadows(const Program& program, const ShadowLook& shadows) {
  program.set("ckShadowCount", shadows.count);
  program.set("ckShadowFromWorld", shadows.fromWorld);
  for (int i = 0; i < shadows.count; ++i) {
    program.set(kBoxes[i], shadows.boxes[i]);
    program.set(kTexels[i], shadows.texelMeters[i]);
  }
}

}  // namespace

void setLook(const Program& program, const SceneLook& look) {
  program.set("ckViewProjection", look.viewProjection);
  program.set("ckEye", look.eye);
  program.set("ckFogMeters", look.fogMeters);
  program.set("ckErrorScale", look.errorScaleMeters);
  program.set("ckMotionScale", look.motionScaleMeters);
  program.set("ckAspect", look.aspect);
  if (look.shadows.count > 0) setShadows(program, look.shadows);
}

}  // namespace ck::render
