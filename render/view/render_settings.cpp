#include "render/view/render_settings.h"

namespace ck::render {

bool sameTick(RenderSettings a, RenderSettings b) {
  for (RenderSettings* one : {&a, &b}) {
    one->grid = true;
    one->shadows = Shadows::Soft;
    one->lightAt = LightAt::Auto;
    one->tickRateHz = 0.0;
    one->errorScaleMm = 0.0;
    one->motionScaleMetersPerSecond = 0.0;
    if (one->shown == Shown::Motion) one->shown = Shown::Baked;
  }
  return a == b;
}

}  // namespace ck::render
