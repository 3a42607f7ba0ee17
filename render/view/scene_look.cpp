#include "render/view/scene_look.h"

namespace ck::render {

void setLook(const Program& program, const SceneLook& look) {
  program.set("ckViewProjection", look.viewProjection);
  program.set("ckEye", look.eye);
  program.set("ckFogMeters", look.fogMeters);
  program.set("ckErrorScale", look.errorScaleMeters);
}

}  // namespace ck::render
