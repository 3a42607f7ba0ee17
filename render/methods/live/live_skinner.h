#pragma once

#include <optional>

#include "core/anim/live_poser.h"
#include "core/crowd/source_clips.h"
#include "render/methods/palette/palette_skinner.h"

namespace ck::render {

// Method `live`: the CPU poses every actor in each tick from the clips, without an atlas, and
// uploads joint matrices. The GPU multiplies them by each skin joint's inverse bind matrix into a
// palette and draws like the method palette. The atlas only determines the clips and their edits.
class LiveSkinner : public Skinner {
 public:
  explicit LiveSkinner(const SkinnerInput& input);

  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override { return kPaletteFetches * influences_; }
  std::size_t uploadedBytes() const override;
  std::optional<PaletteRead> paletteRead() const override { return readOf(palette_); }

 private:
  // Prepared clips and masks, and the crowd's properties that they were made for.
  struct Ready {
    std::vector<CrowdClip> clips;
    std::vector<JointMask> masks;
    SourceClips sources;
    std::vector<int> liveClip;  // per clip of the crowd: index in the poser, or -1
    LivePoser poser;
  };
  void getReady(const Crowd& crowd);
  LiveMoment momentOf(int clip, double unit) const;
  std::vector<LivePose> posesOf(const SkinningTick& tick) const;
  Result<void> uploadBinds();
  Result<void> pack();

  SkinnerInput input_;
  GlHandle vertexArray_;
  Buffer packed_;  // packed influences and the vertex array that reads them, if requested
  GlHandle packedArray_;
  bool packs_ = false;
  PalettePass palette_;
  BufferTexture joints_;
  BufferTexture binds_;
  std::optional<Ready> ready_;
  std::vector<glm::vec4> rows_;
  int influences_ = 4;
};

}  // namespace ck::render
