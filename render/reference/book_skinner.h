#pragma once

#include "render/skinning/draw_actors.h"

namespace ck::render {

// The reference method of the write-up: its formulation, rebuilt from its description to compare
// with. A floating-point texture of the joints' own places, rotations and scales; 24 fetches and
// four matrix products for every vertex; actors in a uniform block, 80 a draw; the second frame
// guessed from the length of the tick. The same vertices, triangles and colours as the other
// methods.
class BookSkinner : public Skinner {
 public:
  // Makes the texture out of the atlas. Fails with LimitExceeded where the context has no room for
  // the texture or for the inverse bind matrices in a uniform block.
  // `tickSeconds` as in bookRecords().
  static SkinnerResult make(const SkinnerInput& input, double tickSeconds);

  // Fails with Unsupported unless there are four influences and interpolation.
  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override { return 24; }
  std::size_t uploadedBytes() const override { return blocks_.sizeBytes(); }
  int drawCalls(std::size_t actors, std::span<const IndexRun> runs) const override;

 private:
  BookSkinner(const SkinnerInput& input, double tickSeconds);
  Result<void> upload();

  SkinnerInput input_;
  double tickSeconds_;
  GlHandle vertexArray_;
  GlHandle texture_;
  Buffer inverseBinds_;
  Buffer blocks_;  // CkActor records in whole batches
  std::vector<gpu::CkActor> records_;
};

// The write-up draws all actors.
ReferencePtr bookMethod(double tickSeconds = 1.0 / 60.0);

}  // namespace ck::render
