#pragma once

#include <span>
#include <string>

#include "core/base/result.h"
#include "render/gl/context.h"
#include "render/view/character_entry.h"
#include "render/view/render_settings.h"

namespace ck::render {

// A view as it can be drawn. Refusals are one sentence each, or empty if the view is drawn as
// requested.
struct DrawableView {
  RenderSettings settings;
  std::string methodRefusal = {};    // why the method palette replaces the requested one
  std::string samplingRefusal = {};  // why atlases are read as baked, not as requested
  Notes notes = {};  // ViewNotDrawn, OptionUnused: what is drawn instead, with the reason
};

// The settings for drawing a view. The editor and the command line both use this function.
// `characters` holds the characters, indexed by Actor::character. `fading`: whether any actor shows
// two clips. Without any atlas the source is shown.
DrawableView renderSettingsFor(const ViewSettings& view, std::span<const CharacterEntry> characters,
                               bool fading, const ContextFacts& facts);

// Whether these settings draw large crowds with levels of detail: not views that compare or
// show errors or steps, nor characters that are not baked.
bool hasDetail(const RenderSettings& settings, std::span<const CharacterEntry> characters);

// The settings with AsBaked and 0 influences replaced by the atlas's values. Without an atlas poses
// are interpolated and have 4 influences.
PoseSettings settledFor(PoseSettings pose, const Atlas* atlas);

// Why one of the atlases cannot be drawn with a method; empty if all can.
std::string whyNotDrawn(Method method, std::span<const CharacterEntry> characters);

// Why one of the atlases cannot be read with the method and sampling of `pose`; empty if all can.
std::string whyNotSampled(const PoseSettings& pose, std::span<const CharacterEntry> characters,
                          bool fading);

}  // namespace ck::render
