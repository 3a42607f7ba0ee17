#pragma once

#include "render/skinning/draw_actors.h"

namespace ck::render {

// Method `atlas`: the vertex shader fetches the poses of its joints from the atlas. One instanced
// draw for the crowd; nothing but the actors' records is uploaded. Draws from the record form of
// its ActorStream; every variant is a program of its own, compiled when first drawn.
class AtlasSkinner : public Skinner {
 public:
  // With `nextInB` frame B of a record is the frame to mix with, in place of the one after frame A.
  explicit AtlasSkinner(const SkinnerInput& input, bool nextInB = false);

  // Fails with Unsupported where the atlas cannot be read so (whyNotSampled()).
  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override;
  std::size_t uploadedBytes() const override { return 0; }

  // The program that draws what the last update() said, in use and with the atlas bound.
  Result<const Program*> startedFor(const DrawPass& pass) const;

 private:
  SkinnerInput input_;
  GlHandle vertexArray_;
  AtlasVariant variant_;
  bool nextInB_;
};

}  // namespace ck::render
