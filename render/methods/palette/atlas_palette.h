#pragma once

#include "render/methods/palette/palette_pass.h"
#include "render/scene/atlas_gpu.h"

namespace ck::render {

// A palette that is filled from an atlas, with each joint relative to its parent
// (Reading::Palette), between frames and between clips. The arguments must outlive it.
class AtlasPalette {
 public:
  AtlasPalette(const AtlasGpu& atlas, const ContextFacts& facts, ShaderLibrary& shaders);

  // `interpolate` between frames, else take the nearest frame. Fails like PalettePass::run().
  Result<void> fill(const PaletteJob& job, bool interpolate);

  const PalettePass& pass() const { return pass_; }
  PalettePass& pass() { return pass_; }

 private:
  Result<void> uploadParents();

  const AtlasGpu& atlas_;
  PalettePass pass_;
  BufferTexture parents_{TexelKind::R32I};
};

}  // namespace ck::render
