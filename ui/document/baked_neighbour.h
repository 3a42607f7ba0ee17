#pragma once

#include <filesystem>

#include "core/atlas/atlas.h"
#include "core/bake/bake_settings.h"

namespace ck::ui {

// The atlas file that belongs to a project file: plaza.crowd -> plaza.ckatlas.
std::filesystem::path atlasBeside(const std::filesystem::path& projectFile);

// Whether `atlas` is what baking `character` with `settings` would give, as far as its record says:
// same source and scale, joints, clips and their shapes, frames and settings.
bool atlasFits(const Atlas& atlas, const Character& character, const BakeSettings& settings);

}  // namespace ck::ui
