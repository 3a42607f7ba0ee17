#pragma once

#include "render/methods/atlas/atlas_skinner.h"
#include "render/methods/matrix/submesh_draws.h"

namespace ck::render {

// Method `matrix`: the vertex shader fetches whole matrices, blends them by the
// weights and moves the vertex once. One indirect call draws all meshes of the character for the
// whole crowd; contexts without it take one instanced call a mesh.
class MatrixSkinner : public Skinner {
 public:
  explicit MatrixSkinner(const SkinnerInput& input);

  // Fails with Unsupported if the atlas holds no matrices (whyNotDrawn()) or cannot be read that
  // way (whyNotSampled()).
  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override { return poses_.fetchesPerVertex(); }
  int drawCalls(std::size_t actors, std::span<const IndexRun> runs) const override {
    return actors == 0 ? 0 : meshes_.calls(runs);
  }
  std::size_t uploadedBytes() const override { return meshes_.uploadedBytes(); }

 private:
  SkinnerInput input_;
  AtlasSkinner poses_;
  SubmeshDraws meshes_;
  GlHandle vertexArray_;
};

}  // namespace ck::render
