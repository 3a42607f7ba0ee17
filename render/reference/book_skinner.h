#pragma once

#include "render/skinning/draw_actors.h"

namespace ck::render {

// The book as a reference method: its formulation, rebuilt for comparison (docs/techniques.md 1.4).
// A float texture holds the joints' own positions, rotations and scales. Every vertex needs 24
// fetches and four matrix products. Actors are in a uniform block, 80 per draw. The second frame is
// derived from the length of the tick. Vertices, triangles and colours are those of the other
// methods.
class BookSkinner : public Skinner {
 public:
  // Creates the texture from the atlas. Fails with LimitExceeded if the texture or the uniform
  // block of inverse bind matrices is too large. `tickSeconds` as in bookRecords().
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

// The method that draws all actors as in the book.
ReferencePtr bookMethod(double tickSeconds = 1.0 / 60.0);

}  // namespace ck::render
