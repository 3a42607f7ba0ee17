#pragma once

#include "render/methods/palette/atlas_palette.h"
#include "render/methods/palette/palette_slots.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {

// Draws the crowd from a filled palette. `slots` has the palette slot of every actor. If it is
// null, actor i has slot i, and the matrices lead to world space. With `packedInfluences`,
// `vertexArray` is from makePackedVertexArray().
Result<void> drawPalette(const SkinnerInput& input, const GlHandle& vertexArray,
                         const PalettePass& palette, const BufferTexture* slots, int influences,
                         const DrawPass& pass, bool packedInfluences = false);

// How vertex shaders read this palette.
inline PaletteRead readOf(const PalettePass& palette) {
  return palette.readsStorage() ? PaletteRead::StorageBuffer : PaletteRead::TextureBuffer;
}

// Method `palette`: once per tick, every joint of every visible pose is read from the atlas
// relative to its parent (Reading::Palette) and becomes a matrix. Actors at the same moment share a
// slot if that at least halves the work. Otherwise each actor has its own slot with its transform
// multiplied in, which saves the vertex shader that step.
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
