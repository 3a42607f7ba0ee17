#pragma once

#include <memory>

#include "core/view/view_settings.h"

namespace ck {
struct Atlas;
}

namespace ck::render {

struct ReferenceMethod;

// Where the light on an actor is made.
enum class LightAt {
  Auto,      // at the vertices in software OpenGL where that is cheaper and hardly to be seen
  Pixels,    // large triangles show highlights as they should
  Vertices,  // at the pixels nevertheless for shadow and normal maps, errors and motion
};

// How a crowd is drawn. A tick depends on `pose` and `reference` alone.
struct RenderSettings {
  PoseSettings pose{.sampling = Sampling::Interpolated, .influences = 4, .skinOn = SkinOn::Gpu};
  // Draws what is baked in place of `pose.method`; with ViewMode::Compared the right half alone.
  std::shared_ptr<const ReferenceMethod> reference = nullptr;
  bool grid = true;
  Shadows shadows = Shadows::Soft;
  LightAt lightAt = LightAt::Auto;
  // Ticks a second of the crowd's own time, at most; 0: one for every picture of a crowd that has
  // moved on.
  double tickRateHz = 0.0;
  double errorScaleMm = 5.0;                // the distance that ViewMode::Error paints hottest
  double motionScaleMetersPerSecond = 3.0;  // the speed that ViewMode::Motion paints brightest
  bool operator==(const RenderSettings&) const = default;
};

// The settings with what an atlas says filled in: neither AsBaked nor 0 influences. Without an
// atlas poses are interpolated and have 4 influences.
PoseSettings settledFor(PoseSettings pose, const Atlas* atlas);

}  // namespace ck::render
