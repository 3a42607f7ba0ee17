#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/scene/character.h"
#include "render/gl/buffer.h"
#include "render/scene/picture_stack.h"
#include "render/scene/surface_measures.h"
#include "render/scene/welded_character.h"

namespace ck::render {

// A character on the GPU: one vertex buffer, one index buffer, its pictures and its materials.
struct CharacterGpu {
  CharacterPtr character;
  WeldedCharacter welded;  // kept for the CPU method and for reading positions back
  Buffer vertices;         // GpuVertex
  Buffer tangents;         // packTangent() of each; only where hasTangents()
  Buffer indices;          // 16 bits where they suffice, else 32
  bool wideIndices = false;
  PictureStack pictures;
  BufferTexture materials;  // two texels each: base colour; layer, is masked, strength of tint, 0
  bool pictured = false;    // whether some material has a picture
  bool tintMasked = false;  // whether some picture says where tints apply
  mutable std::optional<SurfaceMeasures> measured;  // once somebody has asked for surface()

  PictureStack normalMaps;        // without a texture where no mesh has any
  BufferTexture normalMaterials;  // one texel each: layer or -1, scale, 0, 0; where there are maps

  bool hasNormalMaps() const { return static_cast<bool>(normalMaps.texture); }
  bool hasTangents() const { return !welded.tangents.empty(); }
  // Measured at the first asking: only light at the vertices asks at all.
  const SurfaceMeasures& surface() const;
  std::size_t vertexCount() const { return welded.vertices.size(); }
  std::size_t indexCount() const { return welded.indices.size(); }
};

// Fails with LimitExceeded where the driver cannot take it, and with InvalidInput where there is
// nothing to draw.
Result<CharacterGpu> uploadCharacter(CharacterPtr character);

}  // namespace ck::render
