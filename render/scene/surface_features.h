#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "core/scene/character.h"
#include "render/scene/image_stack.h"

namespace ck::render {

// The features that the surfaces of a character have beyond colours, images, normal maps and tint
// masks. Each flag is a variant of the programs that draw the character, so a missing feature costs
// nothing. Only materials of meshes count.
struct SurfaceFeatures {
  bool colors = false;     // vertex colours other than white
  bool secondUvs = false;  // a map uses the second set of texture coordinates
  // A map is moved, turned or scaled, or mirrored or clamped where coordinates reach its border.
  bool placedMaps = false;
  bool cut = false;        // AlphaMode::Mask or Blend
  bool blended = false;    // AlphaMode::Blend
  bool gloss = false;      // isGlossy()
  bool glossMaps = false;  // metalRoughness
  bool glow = false;       // emission
  bool glowMaps = false;   // emissive
  bool unlit = false;
  bool operator==(const SurfaceFeatures&) const = default;

  // Whether the shaders read surfaceTexels().
  bool any() const { return placedMaps || secondUvs || cut || gloss || glow || unlit; }
  // Whether light has to be computed at every pixel (crowd/lit_before.glsl cannot show it).
  bool onlyAtPixels() const {
    return placedMaps || secondUvs || cut || glossMaps || glowMaps || unlit;
  }
};

SurfaceFeatures featuresOf(const Character& character);

// Whether a mesh has the texture coordinates that a map reads.
bool hasUvsFor(const Mesh& mesh, const SurfaceMap& map);

// The texels of every material that crowd/surface.glsl reads, and of one more for meshes without a
// material. `colors` and `data` are the uploaded images.
inline constexpr int kSurfaceTexels = 10;
std::vector<glm::vec4> surfaceTexels(const Character& character, const ImageStack& colors,
                                     const ImageStack& data);

}  // namespace ck::render
