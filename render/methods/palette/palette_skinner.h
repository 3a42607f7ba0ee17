#pragma once

#include "render/methods/palette/atlas_palette.h"
#include "render/methods/palette/palette_slots.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {

// Draws the crowd from a filled palette, which the vertex shader only reads and blends. `slots`:
// the palette slot of every actor; null where each actor has the slot of its number and the
// matrices lead to the world. `packedInfluences`: `vertexArray` is from makePackedVertexArray().
Result<void> drawPalette(const SkinnerInput& input, const GlHandle& vertexArray,
                         const PalettePass& palette, const BufferTexture* slots, int influences,
                         const DrawPass& pass, bool packedInfluences = false);

// What vertex shaders read a palette through that was run.
inline PaletteRead readOf(const PalettePass& palette) {
  return palette.readsStorage() ? PaletteRead::StorageBuffer : PaletteRead::TextureBuffer;
}

// Method `palette`: once per tick every joint of every shown pose becomes a matrix, read from the
// atlas relative to its parent (Reading::Palette), as two clips are blended, too. Actors that show
// the same moment share theirs where that at least halves the work; otherwise each actor has its
// own with its place in the world folded in, which spares the vertex shader that step.
class PaletteSkinner : public Skinner {
 public:
  explicit PaletteSkinner(const SkinnerInput& input);

  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override;
  std::size_t uploadedBytes() const override;
  std::optional<PaletteRead> paletteRead() const override { return readOf(palette_.pass()); }

 private:
  SkinnerInput input_;
  GlHandle vertexArray_;
  AtlasPalette palette_;
  BufferTexture slots_{TexelKind::R32I};
  bool shared_ = false;
  int influences_ = 4;
};

}  // namespace ck::render
