#pragma once

#include <QString>

#include "core/project/project.h"
#include "render/skinning/atlas_variants.h"

namespace ck::ui {

// The variant of the method atlas that the view draws.
struct ViewVariant {
  render::AtlasVariant variant;
  // Why it is not the one that the project asks for; empty where it is.
  QString refusal;
};

// The variant that the project asks for. Where the atlas cannot be read so, the one that the bake
// is meant for, and why. `fading`: some actors fade to a second clip.
ViewVariant viewVariant(const Project& project, const Atlas* atlas, bool fading);

// What the project's sampling means, "as baked" resolved by its bake settings.
render::Sampling samplingOf(const Project& project, ViewSampling sampling);

// "Interpolated", "Linear by hardware", "Nearest frame", "Nearest frame, compact".
QString samplingTitle(render::Sampling sampling);

}  // namespace ck::ui
