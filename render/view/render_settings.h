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

// How a crowd is drawn. The defaults are those of measurements and comparisons: atlases are
// interpolated, and actors are drawn at full detail. A tick depends on `view`, as ViewSettings
// says, and on `reference`.
struct RenderSettings {
  ViewSettings view{
      .pose = {.sampling = Sampling::Interpolated, .influences = 4, .skinOn = SkinOn::Gpu},
      .shadows = Shadows::Soft,
      .detail = {.mode = DetailMode::Full}};
  // Replaces `view.pose.method` for baked poses; with ViewMode::Compared in the right half only.
  std::shared_ptr<const ReferenceMethod> reference = nullptr;
  LightAt lightAt = LightAt::Auto;
  double motionScaleMetersPerSecond = 3.0;  // the speed that ViewMode::Motion shows brightest
  // Whether actors at the limit of a level stay as they were drawn; off for pictures that are to be
  // the same whatever was drawn before.
  bool detailRemembers = true;
  // DetailTask::seconds, for views that are drawn again until DetailStats::dissolving is 0.
  // Pictures that must not depend on the time have none.
  std::optional<double> detailSeconds = std::nullopt;
  bool operator==(const RenderSettings&) const = default;
};

// Whether a tick by one of the settings differs from a tick by the other.
inline bool ticksDiffer(const RenderSettings& a, const RenderSettings& b) {
  return a.view.pose != b.view.pose || a.view.lines != b.view.lines ||
         a.view.detail != b.view.detail || a.reference != b.reference;
}

}  // namespace ck::render
