#pragma once

#include "render/gl/index_texture.h"
#include "render/methods/palette/palette_pass.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {

// A skinner that draws the crowd from a filled palette.
class PaletteReader : public ActorSkinner {
 protected:
  using ActorSkinner::ActorSkinner;

  // `slots` has the palette slot of every actor. If it is null, actor i has slot i, and the
  // matrices lead to world space. With `packed` the vertex array is from makePackedVertexArray().
  Result<void> drawPalette(const PalettePass& palette, const IndexTexture* slots,
                           const DrawPass& pass, bool packed = false) const;

  // How vertex shaders read this palette.
  static PaletteRead readOf(const PalettePass& palette) {
    return palette.readsStorage() ? PaletteRead::StorageBuffer : PaletteRead::TextureBuffer;
  }

  int influences_ = 4;
};

// Method `palette` on the GPU: once per tick, every joint of every visible pose is read from the
// atlas relative to its parent (Reading::Palette) and becomes a matrix. Actors at the same moment
// share a slot if that at least halves the work. Otherwise each actor has its own slot with its
// transform multiplied in, which saves the vertex shader that step.
std::unique_ptr<Skinner> makePaletteSkinner(const SkinnerInput& input);

}  // namespace ck::render
