#pragma once

#include <span>
#include <string>

#include "core/base/result.h"
#include "render/gl/context.h"
#include "render/view/cast_entry.h"
#include "render/view/render_settings.h"

namespace ck::render {

// A view as it can be drawn. A refusal is one sentence, empty where the view is drawn as it asks.
struct DrawableView {
  RenderSettings settings;
  std::string methodRefusal = {};    // why the method palette stands in for the one asked for
  std::string samplingRefusal = {};  // why atlases are read as baked, not as asked for
  Notes notes = {};                  // ViewNotDrawn, OptionUnused: what is drawn instead, and why
};

// The one way from a view to the settings of a picture. `cast`: the characters to draw, by
// Actor::character. `fading`: whether any actor shows two clips. Without any atlas the source is
// shown.
DrawableView renderSettingsFor(const ViewSettings& view, std::span<const CastEntry> cast,
                               bool fading, const ContextFacts& facts);

// Why one of the atlases cannot be drawn by a method; empty where all can.
std::string whyNotDrawn(Method method, std::span<const CastEntry> cast);

// Why one of the atlases cannot be read by the method and the sampling of `pose`; empty where all
// can.
std::string whyNotSampled(const PoseSettings& pose, std::span<const CastEntry> cast, bool fading);

}  // namespace ck::render
