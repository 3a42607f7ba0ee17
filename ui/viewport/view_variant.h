#pragma once

#include <QString>

#include "core/project/project.h"
#include "render/skinning/atlas_variants.h"

namespace ck::ui {

// How the view reads the atlas.
struct ViewVariant {
  render::AtlasVariant variant;
  // Why it is not the one that the project asks for; empty where it is.
  QString refusal;
  // The project's method, or palette where that cannot draw the atlas, and why not.
  Method method = Method::Palette;
  QString methodRefusal = {};
};

// The variant that the project asks for. Where the atlas or the method cannot be read so, one that
// can, and why. `fading`: some actors fade to a second clip.
ViewVariant viewVariant(const Project& project, const Atlas* atlas, bool fading);

// Texel fetches of poses per vertex by the project's method.
// `softwareGl`: where the method Palette skins on the processor unless told otherwise.
int fetchesOf(const Project& project, const Atlas& atlas, const render::AtlasVariant& variant,
              bool softwareGl);

// What the project's sampling means, "as baked" resolved by its bake settings.
render::Sampling samplingOf(const Project& project, ViewSampling sampling);

// "Interpolated", "Linear by hardware", "Nearest frame", "Nearest frame, compact".
QString samplingTitle(render::Sampling sampling);

}  // namespace ck::ui
