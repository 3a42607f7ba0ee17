#pragma once

#include "render/methods/atlas/atlas_skinner.h"

namespace ck::render {

// The book's timing on any atlas: draws like the method atlas, interpolated and without fades. The
// second frame is derived from the length of a tick.
class BookTimingSkinner : public Skinner {
 public:
  // `tickSeconds` as in bookRecords().
  BookTimingSkinner(const SkinnerInput& input, double tickSeconds);

  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override { return poses_.draw(pass); }
  int fetchesPerVertex() const override { return poses_.fetchesPerVertex(); }
  std::size_t uploadedBytes() const override { return timed_.uploadedBytes(); }

 private:
  const ActorStream& actors_;
  double tickSeconds_;
  ActorStream timed_;
  AtlasSkinner poses_;
};

ReferencePtr bookTimingMethod(double tickSeconds = 1.0 / 60.0);

}  // namespace ck::render
