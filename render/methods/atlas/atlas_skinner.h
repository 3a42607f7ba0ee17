#pragma once

#include "render/skinning/draw_actors.h"

namespace ck::render {

// Method `atlas`: the vertex shader fetches the poses of its joints from the atlas. The crowd is
// one instanced draw, and only the actors' records are uploaded. Uses the record format of its
// ActorStream. Every variant is a separate program, compiled on first use.
class AtlasSkinner : public ActorSkinner {
 public:
  // With `nextInB` frame B of a record is the frame to mix with, in place of the one after frame A.
  explicit AtlasSkinner(const SkinnerInput& input, bool nextInB = false)
      : ActorSkinner(input), nextInB_(nextInB) {}

  // Fails with Unsupported if the atlas cannot be read that way (whyNotSampled()).
  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  bool drawsParts() const override { return true; }
  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override;

 protected:
  // The program for the last update(), in use and with the atlas bound.
  Result<const Program*> startedFor(const DrawPass& pass) const;

 private:
  AtlasVariant variant_;
  bool nextInB_;
};

}  // namespace ck::render
