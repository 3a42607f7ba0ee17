#pragma once

#include <optional>

#include "core/anim/live_poser.h"
#include "core/crowd/source_clips.h"
#include "render/methods/palette/palette_skinner.h"

namespace ck::render {

// Method `live`: the CPU poses every actor each tick from the clips themselves, no atlas between,
// and uploads the matrices of the joints; the GPU multiplies them by the inverse bind matrices into
// a palette, each skin joint by its own, and draws as the method palette does. What is baked only
// says which clips play and in what shape.
class LiveSkinner : public Skinner {
 public:
  explicit LiveSkinner(const SkinnerInput& input);

  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override { return kPaletteFetches * influences_; }
  std::size_t uploadedBytes() const override;
  std::optional<PaletteRead> paletteRead() const override { return readOf(palette_); }

 private:
  // Clips and masks made ready, and what of the crowd they were made for.
  struct Ready {
    std::vector<CrowdClip> clips;
    std::vector<JointMask> masks;
    SourceClips sources;
    std::vector<int> liveClip;  // per clip of the crowd: into the poser's, or -1
    LivePoser poser;
  };
  void getReady(const Crowd& crowd);
  LiveMoment momentOf(int clip, double unit) const;
  std::vector<LivePose> posesOf(const SkinningTick& tick) const;
  Result<void> uploadBinds();
  Result<void> pack();

  SkinnerInput input_;
  GlHandle vertexArray_;
  Buffer packed_;  // influences; with the array that reads them, where asked for
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
