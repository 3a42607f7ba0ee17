#pragma once

#include "render/skinning/draw_actors.h"
#include "render/skinning/palette_pass.h"
#include "render/skinning/palette_slots.h"

namespace ck::render {

// Method `palette`: once per tick every joint of every shown pose becomes a matrix; the vertex
// shader only reads and blends matrices. Actors that show the same moment share theirs where that
// at least halves the work; otherwise each actor has its own with its place in the world folded in,
// which spares the vertex shader that step.
class PaletteSkinner : public Skinner {
 public:
  explicit PaletteSkinner(const SkinnerInput& input);

  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override;
  std::size_t uploadedBytes() const override;

 private:
  SkinnerInput input_;
  GlHandle vertexArray_;
  PalettePass palette_;
  BufferTexture slots_{TexelKind::R32I};
  bool shared_ = false;
  int influences_ = 4;
};

}  // namespace ck::render
