#pragma once

#include <QString>
#include <optional>

#include "core/bake/bake_settings.h"

namespace ck::ui {

// Whole sets of bake settings with a name (docs/editor.md). Clips and the limits of the texture are
// not part of them.
enum class BakePreset {
  Hero,            // few actors close by: fine steps, every influence
  Balanced,        // the defaults
  FarCrowd,        // thousands far away: a quarter of the memory, four fetches or fewer
  BookCompatible,  // as the write-up bakes: floats, tiles of 256, read joint by joint
};
inline constexpr BakePreset kBakePresets[] = {BakePreset::Hero, BakePreset::Balanced,
                                              BakePreset::FarCrowd, BakePreset::BookCompatible};

QString presetName(BakePreset preset);
QString presetSummary(BakePreset preset);

// `settings` with everything that belongs to the preset.
BakeSettings withPreset(const BakeSettings& settings, BakePreset preset);

// The preset that the settings are those of; nothing where they are the artist's own.
std::optional<BakePreset> presetOf(const BakeSettings& settings);

}  // namespace ck::ui
