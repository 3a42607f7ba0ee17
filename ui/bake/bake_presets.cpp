#include "ui/bake/bake_presets.h"

#include <QCoreApplication>

namespace ck::ui {
namespace {

constexpr double kFineRateHz = 60.0;
constexpr double kFarRateHz = 15.0;
constexpr int kBookTile = 256;

struct Texts {
  const char* name;
  const char* summary;
};
const Texts kTexts[] = {
    {QT_TRANSLATE_NOOP("BakePresets", "Hero"),
     QT_TRANSLATE_NOOP("BakePresets",
                       "A few actors close by: 16 bits a number, with ranges for every joint and "
                       "clip, 60 frames a second, 4 influences, interpolated")},
    {QT_TRANSLATE_NOOP("BakePresets", "Balanced"),
     QT_TRANSLATE_NOOP("BakePresets",
                       "The defaults: 16 bits a number, at the times of the keys, 4 influences, "
                       "interpolated")},
    {QT_TRANSLATE_NOOP("BakePresets", "Far crowd"),
     QT_TRANSLATE_NOOP(
         "BakePresets",
         "Thousands far away: 8 bits a number at 15 frames a second, 2 influences, nearest frame")},
    {QT_TRANSLATE_NOOP("BakePresets", "Book-compatible"),
     QT_TRANSLATE_NOOP("BakePresets",
                       "As the book bakes: floats of position, rotation and scale in tiles of 256, "
                       "4 influences, interpolated joint by joint")},
};
static_assert(std::size(kTexts) == std::size(kBakePresets));

BakeSettings ofPreset(BakePreset preset) {
  BakeSettings settings;
  switch (preset) {
    case BakePreset::Hero:
      settings.rangeMode = RangeMode::JointClip;
      settings.rateHz = kFineRateHz;
      break;
    case BakePreset::Balanced:
      break;
    case BakePreset::FarCrowd:
      settings.encoding = Encoding::T8;
      settings.rateHz = kFarRateHz;
      settings.influences = 2;
      settings.interpolate = false;
      settings.reading = Reading::Direct;
      break;
    case BakePreset::BookCompatible:
      settings.encoding = Encoding::T32;
      settings.components = Components::Trs;
      settings.layout = LayoutKind::Tiles;
      settings.tile = kBookTile;
      settings.reading = Reading::Direct;
      break;
  }
  return settings;
}

}  // namespace

QString presetName(BakePreset preset) {
  return QCoreApplication::translate("BakePresets", kTexts[int(preset)].name);
}

QString presetSummary(BakePreset preset) {
  return QCoreApplication::translate("BakePresets", kTexts[int(preset)].summary);
}

BakeSettings withPreset(const BakeSettings& settings, BakePreset preset) {
  BakeSettings made = ofPreset(preset);
  made.clips = settings.clips;
  made.maxTextureSize = settings.maxTextureSize;
  made.morphs = settings.morphs;  // depends on the clips, not on what the atlas is for
  return made;
}

std::optional<BakePreset> presetOf(const BakeSettings& settings) {
  for (const BakePreset preset : kBakePresets) {
    BakeSettings made = withPreset(settings, preset);
    // P16 was the usual encoding before it was left to the bake.
    if (!made.encoding && settings.encoding == Encoding::P16) made.encoding = settings.encoding;
    // An explicit range mode equals the automatic one if both have the same result.
    if (rangeModeFor(made) == rangeModeFor(settings)) made.rangeMode = settings.rangeMode;
    if (made == settings) return preset;
  }
  return std::nullopt;
}

}  // namespace ck::ui
