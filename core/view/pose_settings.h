#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/names.h"
#include "core/morph/morph_sums.h"
#include "core/skinning/method.h"

namespace ck {

// How a pose between two stored frames is read.
enum class Sampling {
  AsBaked,         // interpolated or nearest, according to the bake settings of each atlas
  Interpolated,    // both frames are fetched and interpolated
  HardwareLinear,  // the texture unit interpolates: half the fetches, if the atlas supports it
  Nearest,         // the nearest stored frame
  Compact,         // as Nearest, from a smaller actor record with one frame number
};
inline constexpr std::string_view kSamplingNames[] = {"as-baked", "interpolated", "hardware-linear",
                                                      "nearest", "compact"};
inline std::string_view samplingName(Sampling sampling) {
  return nameOf(kSamplingNames, sampling);
}
inline std::optional<Sampling> samplingFromName(std::string_view name) {
  return valueNamed<Sampling>(kSamplingNames, name);
}

// Interpolated or Nearest.
inline Sampling samplingFor(bool interpolate) {
  return interpolate ? Sampling::Interpolated : Sampling::Nearest;
}

// Whether poses between stored frames are shown. Must not be called for AsBaked.
inline bool isBetweenFrames(Sampling sampling) {
  return sampling == Sampling::Interpolated || sampling == Sampling::HardwareLinear;
}

// Where the methods palette and prepass skin vertices. Auto: on the CPU with software OpenGL, which
// skins more slowly than the CPU does directly; else on the GPU.
enum class SkinOn { Auto, Gpu, Cpu };
inline constexpr std::string_view kSkinOnNames[] = {"auto", "gpu", "cpu"};
inline std::string_view skinOnName(SkinOn skinOn) {
  return nameOf(kSkinOnNames, skinOn);
}

// How vertex shaders read a palette in a buffer (OpenGL 4.3).
enum class PaletteRead {
  Auto,  // the way that was measured to be faster in this context
  TextureBuffer,
  StorageBuffer,
};
inline constexpr std::string_view kPaletteReadNames[] = {"auto", "texture", "storage"};
inline std::string_view paletteReadName(PaletteRead read) {
  return nameOf(kPaletteReadNames, read);
}

// The picture that is drawn of every actor.
enum class ViewMode {
  Source,    // the file's clips, skinned on the CPU; with the method live, masks are applied
  Baked,     // the atlas
  Split,     // source on the left, baked on the right
  Error,     // baked, or as the method live shows it, coloured by the distance to the source
  Compared,  // baked; left with the method, right with RenderSettings::reference
  // Baked; clips blended relative to the parent joint on the left, in the world on the right.
  Blends,
  Motion,    // baked, coloured by the motion since the previous tick as each tick's camera saw it
  Tangents,  // baked, coloured by tangents; grey if a mesh has none
};
inline constexpr std::string_view kViewModeNames[] = {"source",   "baked",  "split",  "error",
                                                      "compared", "blends", "motion", "tangents"};
inline std::string_view viewModeName(ViewMode mode) {
  return nameOf(kViewModeNames, mode);
}

// Whether the view is split into two halves.
inline bool isHalved(ViewMode mode) {
  return mode == ViewMode::Split || mode == ViewMode::Compared || mode == ViewMode::Blends;
}

// How changes of morph weights are added up on the GPU.
enum class MorphPath {
  Feedback,  // difference meshes as vertex attributes; sums alternate between two buffers
  Compute,   // sparse differences with integer atomics; OpenGL 4.3, integer sums only
};

// The largest number of morphs per pass of MorphPath::Feedback: 16 attributes are two for the sums
// and two per morph.
inline constexpr int kLargestMorphBatch = 7;

struct AccumulatorSettings {
  MorphSums sums = MorphSums::Fixed;
  MorphPath path = MorphPath::Feedback;
  int batch = kLargestMorphBatch;  // Feedback: morphs per pass, 1 .. kLargestMorphBatch
  bool onlyChanged = true;         // false: add all morphs again in every update
  bool operator==(const AccumulatorSettings&) const = default;
};

// How morphs are shown. The first selected actor is morphed by an accumulator with all weights of
// its source clip. Actors near the eye use sparse differences with baked weights. All others keep
// the default weights.
struct MorphView {
  bool on = true;
  double nearMeters = 25.0;  // up to this distance from the eye, actors are morphed
  AccumulatorSettings accumulator = {};
  bool operator==(const MorphView&) const = default;
};

// All settings that a tick (the posing of all actors) depends on. Two ticks of the same time with
// equal settings give equal poses. A setting that only affects how poses are drawn belongs to
// ViewSettings and render::RenderSettings.
struct PoseSettings {
  Method method = Method::Palette;
  // HardwareLinear and Compact if method and atlas support them.
  Sampling sampling = Sampling::AsBaked;
  int influences = 0;  // 1, 2 or 4; 0: as each atlas was baked, 4 without an atlas
  bool fades = true;   // whether second clips are applied
  SkinOn skinOn = SkinOn::Auto;
  // Method prepass: each actor is posed in every n-th tick, 1 to 16, in turn, and drawn at its
  // current place. All are posed if the crowd is new or was seeked; an actor is posed when its clip
  // has changed.
  int updateEvery = 1;
  PaletteRead paletteRead = PaletteRead::Auto;  // methods palette and live
  bool packedInfluences = false;  // method live: joint and weight are packed in one float
  ViewMode viewMode = ViewMode::Baked;
  MorphView morphs = {};
  // Limit of the memory for skinned vertices of all characters, in bytes.
  std::size_t skinnedBudgetBytes = std::size_t{1} << 30;
  bool operator==(const PoseSettings&) const = default;
};

}  // namespace ck
