#pragma once

#include <memory>
#include <optional>

#include "core/view/view_settings.h"

namespace ck::render {

struct ReferenceMethod;

// Where the light on actors is computed.
enum class LightAt {
  Auto,    // at the vertices, with software OpenGL, if that is faster and hardly visible
  Pixels,  // shows highlights on large triangles correctly
  // At the vertices, but not in error and motion views, nor with what only pixels can show.
  Vertices,
};

// How a crowd is drawn. A tick depends on `pose`, `reference`, `levels` and `detail`.
struct RenderSettings {
  PoseSettings pose{.sampling = Sampling::Interpolated, .influences = 4, .skinOn = SkinOn::Gpu};
  // Replaces `pose.method` for baked poses; with ViewMode::Compared in the right half only.
  std::shared_ptr<const ReferenceMethod> reference = nullptr;
  bool grid = true;
  Shadows shadows = Shadows::Soft;
  LightAt lightAt = LightAt::Auto;
  // Maximum number of ticks per second of the crowd's time; 0: one per frame of an advancing crowd.
  double tickRateHz = 0.0;
  // The distance that ViewMode::Error shows in its last colour; 0: errorScaleFor() (error_scale.h)
  double errorScaleMm = 0.0;
  double motionScaleMetersPerSecond = 3.0;  // the speed that ViewMode::Motion shows brightest
  // Lines over the selected actors, or over all without a selection (actor_lines.h).
  bool skeleton = false;
  bool jointAxes = false;
  bool bounds = false;
  bool wireframe = false;
  bool levels = false;  // actors are tinted by their level of detail
  // Full by default: measurements and comparisons must not use levels of detail.
  DetailSettings detail{.mode = DetailMode::Full};
  // Whether actors at the limit of a level stay as they were drawn; off for pictures that are to be
  // the same whatever was drawn before.
  bool detailRemembers = true;
  // DetailTask::seconds, for views that are drawn again until DetailStats::dissolving is 0.
  // Pictures that must not depend on the time have none.
  std::optional<double> detailSeconds = std::nullopt;
  double wipe = 0.5;  // where a halved view is divided: share of the width, in [0, 1]
  bool operator==(const RenderSettings&) const = default;
};

}  // namespace ck::render
