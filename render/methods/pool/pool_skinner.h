#pragma once

#include "render/methods/palette/atlas_palette.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {

// Method `pool`, for far actors: the skin matrices of all baked frames lie in one buffer, made once
// a bake, and every vertex reads those of its actor's frame (docs/techniques.md 4.1). No pass runs
// in a tick. Between frames two matrices are mixed as they are, which shortens limbs where a frame
// turns far; the nearest frame alone costs half of that. A second clip is mixed in the world.
class PoolSkinner : public Skinner {
 public:
  explicit PoolSkinner(const SkinnerInput& input);

  // Fails with LimitExceeded where the pool of all frames does not fit.
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
