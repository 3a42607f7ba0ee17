#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/morph/morph_planner.h"
#include "core/skinning/method.h"

namespace ck {

// How a pose is read between two stored frames.
enum class Sampling {
  AsBaked,         // interpolated or nearest, as the bake settings of each atlas say
  Interpolated,    // both frames are fetched and mixed
  HardwareLinear,  // the texture unit mixes them: half the fetches, where the atlas allows it
  Nearest,         // the nearer stored frame
  Compact,         // the same from a smaller record: an actor is its place and one frame number
};
// "as-baked", "interpolated", "hardware-linear", "nearest", "compact"
std::string_view samplingName(Sampling sampling);
std::optional<Sampling> samplingFromName(std::string_view name);

// Interpolated, or Nearest.
Sampling samplingFor(bool interpolate);

// Whether poses between stored frames are shown. Not for AsBaked.
bool isBetweenFrames(Sampling sampling);

// Where the methods palette and prepass skin vertices. Auto: on the CPU with software OpenGL, which
// skins more slowly than the CPU does directly; else on the GPU.
enum class SkinOn { Auto, Gpu, Cpu };
std::string_view skinOnName(SkinOn skinOn);  // "auto", "gpu", "cpu"
std::optional<SkinOn> skinOnFromName(std::string_view name);

// How vertex shaders read a palette in a buffer (OpenGL 4.3).
enum class PaletteRead {
  Auto,  // the way that was measured to be faster in this context
  TextureBuffer,
  StorageBuffer,
};
std::string_view paletteReadName(PaletteRead read);  // "auto", "texture", "storage"
std::optional<PaletteRead> paletteReadFromName(std::string_view name);

// What is drawn for every actor.
enum class ViewMode {
  Source,    // the file's clips, skinned on the CPU; with the method live, masks are applied
  Baked,     // the atlas
  Split,     // source on the left, baked on the right
  Error,     // baked, or as the method live shows it, coloured by the distance to the source
  Compared,  // baked, left by the method, right by RenderSettings::reference
  // Baked; clips blended relative to the parent joint on the left, in the world on the right.
  Blends,
  Motion,    // baked, coloured by the motion since the last tick, as its camera saw it
  Tangents,  // baked, coloured by tangents; grey if a mesh has none
};
// "source", "baked", "split", "error", "compared", "blends", "motion", "tangents"
std::string_view viewModeName(ViewMode mode);
std::optional<ViewMode> viewModeFromName(std::string_view name);

// Whether the view is split into two halves.
bool isHalved(ViewMode mode);

// How changed morph targets are added up on the GPU.
enum class MorphPath {
  Feedback,  // difference meshes as vertex attributes, sums go back and forth between two buffers
  Compute,   // sparse differences, integer atomics; OpenGL 4.3, integer sums only
};

// As many targets as one pass of MorphPath::Feedback can add at most: two vertex attributes each,
// and two for the sums.
inline constexpr int kLargestMorphBatch = 7;

struct AccumulatorSettings {
  MorphSums sums = MorphSums::Fixed;
  MorphPath path = MorphPath::Feedback;
  int batch = kLargestMorphBatch;  // Feedback: targets a pass, 1 .. kLargestMorphBatch
  bool onlyChanged = true;         // off: every target is added anew every time
  bool operator==(const AccumulatorSettings&) const = default;
};

// How the morph targets of a crowd are shown. The first selected actor is morphed by an accumulator
// with all weights of its source clip; actors near the eye by the sparse differences of the weights
// that were baked; all others keep the default shape.
struct MorphView {
  bool on = true;
  double nearMeters = 25.0;  // from the eye: how far away morph weights are still shown
  AccumulatorSettings accumulator = {};
  bool operator==(const MorphView&) const = default;
};

// All settings that a tick, the posing of all actors, depends on. Two ticks of one moment with
// equal settings pose the actors alike. A setting that only changes how poses are painted belongs
// to ViewSettings and render::RenderSettings.
struct PoseSettings {
  Method method = Method::Palette;
  Sampling sampling = Sampling::AsBaked;  // HardwareLinear and Compact: where method and atlas can
  int influences = 0;  // 1, 2 or 4; 0: as each atlas was baked, 4 without an atlas
  bool fades = true;   // whether second clips are applied
  SkinOn skinOn = SkinOn::Auto;
  // Method prepass: an actor is posed anew in every n-th tick, 1 to 16, the actors in turn; each is
  // drawn where it is now. All are where a crowd is new or was seeked, and one is whose clip has
  // changed.
  int updateEvery = 1;
  PaletteRead paletteRead = PaletteRead::Auto;  // methods palette and live
  bool packedInfluences = false;  // method live: joint and weight of an influence in one float
  ViewMode viewMode = ViewMode::Baked;
  MorphView morphs = {};
  // How many bytes of skinned vertices may be held at once by all characters.
  std::size_t skinnedBudgetBytes = std::size_t{1} << 30;
  bool operator==(const PoseSettings&) const = default;
};

}  // namespace ck
