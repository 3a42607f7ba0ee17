#pragma once

#include <memory>

#include "core/project/project.h"
#include "render/morph/morph_view.h"
#include "render/scene/skinned_store.h"
#include "render/skinning/atlas_variants.h"

namespace ck::render {

struct ReferenceMethod;

// What is drawn for every actor.
enum class Shown {
  Source,    // the file's own clips, skinned on the CPU; masks are obeyed for the method live
  Baked,     // the atlas
  Split,     // source left, baked right of the middle
  Error,     // baked, or for the method live as that shows it, coloured by the distance to the
             // source
  Compared,  // baked, left by the method, right by RenderSettings::reference
  Blends,    // baked, left with clips blended relative to the parent joint, right in the world
  Motion,    // baked, coloured by the way since the tick before, as the camera of each tick saw it
  Tangents,  // baked, coloured by the tangents, grey where meshes have none
};

using ck::PaletteRead;

// Where the light on an actor is made.
enum class LightAt {
  Auto,      // at the vertices in software OpenGL where that is cheaper and hardly to be seen
  Pixels,    // large triangles show highlights as they should
  Vertices,  // at the pixels nevertheless for shadow and normal maps, errors and motion
};

struct RenderSettings {
  Method method = Method::Palette;
  Sampling sampling = Sampling::Interpolated;  // method atlas: any that the atlas allows
  bool sampledAsBaked = false;  // each atlas as its bake is meant to be read, not by `sampling`
  int influences = 4;           // 1, 2 or 4; 0: as each atlas was baked, 4 without one
  bool fades = true;            // whether second clips are shown
  // Methods palette and prepass: where vertices are skinned. As the method says unless asked for.
  SkinOn skinOn = SkinOn::Gpu;
  // Method prepass: an actor is posed anew in every n-th tick, the actors in turn; each is drawn
  // where it is now. All are where a crowd is new or was seeked, and one is whose clip has changed.
  int updateEvery = 1;
  // Method prepass: how many bytes of skinned vertices may be held at once by all characters.
  std::size_t skinnedBudgetBytes = SkinnedStore::kDefaultBudgetBytes;
  Shown shown = Shown::Baked;
  // Draws what is baked in place of `method`; with Shown::Compared the right half alone.
  std::shared_ptr<const ReferenceMethod> reference = nullptr;
  bool grid = true;
  Shadows shadows = Shadows::Soft;
  LightAt lightAt = LightAt::Auto;
  // Ticks a second of the crowd's own time, at most; 0: one for every picture of a crowd that has
  // moved on.
  double tickRateHz = 0.0;
  MorphView morphs;
  double errorScaleMm = 5.0;                    // the distance that Shown::Error paints hottest
  double motionScaleMetersPerSecond = 3.0;      // the speed that Shown::Motion paints brightest
  PaletteRead paletteRead = PaletteRead::Auto;  // methods palette and live
  // Method live: vertices have joint and weight of an influence in one float
  // (render/scene/packed_influences.h) instead of apart.
  bool packedInfluences = false;
  bool operator==(const RenderSettings&) const = default;
};

// Whether actors that are posed for one of the two look the same by the other.
bool sameTick(RenderSettings a, RenderSettings b);

// Whether the picture is of two halves.
inline bool isHalved(Shown shown) {
  return shown == Shown::Split || shown == Shown::Compared || shown == Shown::Blends;
}

}  // namespace ck::render
