#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/scene/character.h"
#include "render/gl/buffer.h"
#include "render/scene/image_stack.h"
#include "render/scene/surface_features.h"
#include "render/scene/surface_measures.h"
#include "render/scene/welded_character.h"

namespace ck::render {

// A character's GPU data: one vertex buffer, one index buffer, images and materials.
struct CharacterGpu {
  CharacterPtr character;
  WeldedCharacter welded;  // for the CPU method and for reading positions back
  Buffer vertices;         // GpuVertex
  Buffer tangents;         // packTangent() of each vertex; empty without hasTangents()
  Buffer colors;           // WeldedCharacter::colors; empty without features.colors
  Buffer secondUvs;        // WeldedCharacter::secondUvs; empty without features.secondUvs
  Buffer indices;          // 16 bits if sufficient, else 32
  bool wideIndices = false;
  // Shared by all levels of detail of a character; never null.
  std::shared_ptr<const ImageStack> images;
  BufferTexture materials;  // two texels each: base colour; layer, masked flag, tint strength, 0
  bool hasImages = false;   // whether any material has an image
  bool tintMasked = false;  // whether any image has a tint mask
  mutable std::optional<SurfaceMeasures> measured;  // computed by surface()

  // Normal maps, metal and roughness; no texture without any.
  std::shared_ptr<const ImageStack> dataImages;
  BufferTexture normalMaterials;  // one texel each: layer or -1, scale, 0, 0; only with normal maps
  bool normalMapped = false;

  SurfaceFeatures features;
  BufferTexture surfaces;  // surfaceTexels(); only with features.any()

  bool hasNormalMaps() const { return normalMapped; }
  bool hasTangents() const { return !welded.tangents.empty(); }
  // Computed on first use, because only light at vertices needs it.
  const SurfaceMeasures& surface() const;
  std::size_t vertexCount() const { return welded.vertices.size(); }
  std::size_t indexCount() const { return welded.indices.size(); }
};

// Fails with LimitExceeded if the driver has no memory, and with InvalidInput if there is nothing
// to draw.
Result<CharacterGpu> uploadCharacter(CharacterPtr character);

// The same for a level of detail (DetailLevel::character) of `whole`, whose images it is drawn
// with.
Result<CharacterGpu> uploadLevel(CharacterPtr level, const CharacterGpu& whole);

}  // namespace ck::render
