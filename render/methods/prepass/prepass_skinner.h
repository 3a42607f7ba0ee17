#pragma once

#include <memory>
#include <vector>

#include "render/methods/palette/atlas_palette.h"
#include "render/methods/palette/palette_skinner.h"
#include "render/methods/prepass/vertex_prepass.h"
#include "render/morph/morph_stage.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {

// Method `prepass`: fills the palette like the method palette, then skins every vertex once per
// tick. Each pass (shadow maps, ids, colour) then only draws. A vertex is one texel of a buffer
// texture, read by gl_VertexID. A study of llvmpipe found this as fast as vertex attributes with
// one command per actor (497 and 502 ms for a thousand actors; not repeated with this program). One
// command draws all actors, constant attributes stay with the character, and it runs on OpenGL 3.3.
//
// Actors at equal moments share vertices in model space if that halves the work; otherwise each
// actor has vertices in world space. With SkinningTick::updateEvery > 1 vertices are in model
// space, so that actors move in every frame although only some are posed again.
class PrepassSkinner : public Skinner {
 public:
  PrepassSkinner(const SkinnerInput& input, PrepassWay way);

  // Fails with LimitExceeded, which says how many actors fit, and Internal (a shader).
  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override { return shared_ ? 2 : 1; }
  int drawCalls(std::size_t actors, std::span<const IndexRun> runs) const override;
  std::size_t uploadedBytes() const override;
  std::size_t heldBytes() const override {
    return palette_.pass().sizeBytes() + lease_.sizeBytes();
  }
  bool skinsOnCpu() const override { return prepass_.way() == PrepassWay::Cpu; }

 private:
  // The state in which all vertices were last skinned. If it changes, all are skinned again.
  struct Written {
    CrowdStamp stamp;
    std::size_t actors = 0;
    int influences = 0;
    bool interpolate = true;
    bool fades = true;
    int every = 1;
  };
  // The state in which an actor was last skinned. If it changes, the actor is skinned even if it is
  // not its turn.
  struct Skinned {
    int clip = -1;
    int second = -1;  // -1 if there is none
    FaceFrom face = FaceFrom::Default;
    bool operator==(const Skinned&) const = default;
  };
  Result<void> updateAll(const SkinningTick& tick);
  Result<void> updateShared(const SkinningTick& tick, const PaletteSlots& slots);
  Result<void> updateInTurn(const SkinningTick& tick);
  std::vector<std::uint32_t> dueActors(const SkinningTick& tick, bool all);
  Result<void> skin(const ActorRecords& poses, std::span<const std::uint32_t> actors,
                    const SkinningTick& tick);

  SkinnerInput input_;
  GlHandle vertexArray_;
  AtlasPalette palette_;
  VertexPrepass prepass_;
  SkinnedStore::Lease lease_;
  BufferTexture slots_{TexelKind::R32I};
  std::unique_ptr<DrawCommands> commands_;
  bool shared_ = false;
  bool inWorld_ = true;
  std::vector<ActorRun> draws_;
  Written written_;
  int turn_ = 0;
  std::vector<Skinned> skinned_;  // one per actor
};

// The way that was requested, or the best one that the context supports.
PrepassWay prepassWayFor(SkinOn skinOn, const ContextFacts& facts);

// Method `palette` with software OpenGL: skins vertices on the CPU as long as there is memory,
// otherwise uses PaletteSkinner.
class AutoPaletteSkinner : public Skinner {
 public:
  explicit AutoPaletteSkinner(const SkinnerInput& input);

  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override { return chosen_->draw(pass); }
  int fetchesPerVertex() const override { return chosen_->fetchesPerVertex(); }
  int drawCalls(std::size_t actors, std::span<const IndexRun> runs) const override {
    return chosen_->drawCalls(actors, runs);
  }
  std::size_t uploadedBytes() const override { return chosen_->uploadedBytes(); }
  std::size_t heldBytes() const override { return chosen_->heldBytes(); }
  bool skinsOnCpu() const override { return chosen_->skinsOnCpu(); }
  std::optional<PaletteRead> paletteRead() const override { return chosen_->paletteRead(); }

 private:
  PrepassSkinner onCpu_;
  PaletteSkinner onGpu_;
  Skinner* chosen_ = &onCpu_;
};

}  // namespace ck::render
