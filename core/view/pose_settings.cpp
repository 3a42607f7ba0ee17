#include "core/view/pose_settings.h"

#include "core/view/names.h"

namespace ck {
namespace {

constexpr std::string_view kSamplings[] = {"as-baked", "interpolated", "hardware-linear", "nearest",
                                           "compact"};
constexpr std::string_view kSkinOns[] = {"auto", "gpu", "cpu"};
constexpr std::string_view kPaletteReads[] = {"auto", "texture", "storage"};
constexpr std::string_view kViewModes[] = {"source",   "baked",  "split",  "error",
                                           "compared", "blends", "motion", "tangents"};

}  // namespace

std::string_view samplingName(Sampling sampling) {
  return nameOf(kSamplings, sampling);
}

std::optional<Sampling> samplingFromName(std::string_view name) {
  return valueNamed<Sampling>(kSamplings, name);
}

Sampling samplingFor(bool interpolate) {
  return interpolate ? Sampling::Interpolated : Sampling::Nearest;
}

bool isBetweenFrames(Sampling sampling) {
  return sampling == Sampling::Interpolated || sampling == Sampling::HardwareLinear;
}

std::string_view skinOnName(SkinOn skinOn) {
  return nameOf(kSkinOns, skinOn);
}

std::optional<SkinOn> skinOnFromName(std::string_view name) {
  return valueNamed<SkinOn>(kSkinOns, name);
}

std::string_view paletteReadName(PaletteRead read) {
  return nameOf(kPaletteReads, read);
}

std::optional<PaletteRead> paletteReadFromName(std::string_view name) {
  return valueNamed<PaletteRead>(kPaletteReads, name);
}

std::string_view viewModeName(ViewMode mode) {
  return nameOf(kViewModes, mode);
}

std::optional<ViewMode> viewModeFromName(std::string_view name) {
  return valueNamed<ViewMode>(kViewModes, name);
}

bool isHalved(ViewMode mode) {
  return mode == ViewMode::Split || mode == ViewMode::Compared || mode == ViewMode::Blends;
}

}  // namespace ck
