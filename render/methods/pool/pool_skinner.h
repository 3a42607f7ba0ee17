#pragma once

#include "render/methods/palette/atlas_palette.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {

// Method `pool`, for far actors: the skin matrices of all stored frames are in one buffer, computed
// once per bake (docs/techniques.md 4.1). No pass runs in a tick. Between frames, vertex shaders
// interpolate two matrices directly, which shortens limbs at large rotations; the nearest frame
// costs half as much. A second clip is blended in world space.
class PoolSkinner : public Skinner {
 public:
  explicit PoolSkinner(const SkinnerInput& input);

  // Fails with LimitExceeded if the matrices of all frames do not fit.
  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override;
  std::size_t uploadedBytes() const override { return uploadedBytes_; }
  std::size_t heldBytes() const override { return palette_.pass().sizeBytes(); }

 private:
  SkinnerInput input_;
  GlHandle vertexArray_;
  AtlasPalette palette_;
  bool filled_ = false;
  AtlasVariant variant_;
  std::size_t uploadedBytes_ = 0;
};

}  // namespace ck::render
