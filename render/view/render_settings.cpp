#include "render/view/render_settings.h"

#include "core/atlas/atlas.h"

namespace ck::render {

PoseSettings settledFor(PoseSettings pose, const Atlas* atlas) {
  if (pose.influences == 0) pose.influences = atlas != nullptr ? atlas->influences : 4;
  if (pose.sampling == Sampling::AsBaked) {
    pose.sampling = samplingFor(atlas == nullptr || atlas->interpolate);
  }
  return pose;
}

}  // namespace ck::render
