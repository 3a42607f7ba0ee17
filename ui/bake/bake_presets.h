#pragma once

#include <QString>
#include <optional>

#include "core/bake/bake_settings.h"

namespace ck::ui {

// Named sets of bake settings (docs/editor.md). They do not include clips and texture limits.
enum class BakePreset {
  Hero,            // few actors close to the camera: fine steps, all influences
  Balanced,        // the default settings
  FarCrowd,        // thousands of distant actors: a quarter of the memory, at most four fetches
  BookCompatible,  // as in the book: floats, tiles of 256, direct reading
};
inline constexpr BakePreset kBakePresets[] = {BakePreset::Hero, BakePreset::Balanced,
                                              BakePreset::FarCrowd, BakePreset::BookCompatible};

QString presetName(BakePreset preset);
QString presetSummary(BakePreset preset);

// `settings` with all values of the preset.
BakeSettings withPreset(const BakeSettings& settings, BakePreset preset);

// The preset that the settings match; nothing for custom settings.
std::optional<BakePreset> presetOf(const BakeSettings& settings);

}  // namespace ck::ui
