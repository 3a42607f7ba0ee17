#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/crowd.h"
#include "render/morph/morph_stage.h"
#include "render/skinning/skinner.h"
#include "render/view/environment.h"
#include "render/view/motion_vectors.h"
#include "render/view/render_settings.h"

namespace ck::render {

// What all character renderers of a renderer share; must outlive them.
struct TroupeTools {
  ShaderLibrary& shaders;
  const ContextFacts& facts;
  SkinnedStore& skinned;
};

// One character of a cast with all its actors: what is uploaded for it, the skinners that it is
// drawn by, and the records of its actors. Variants of a character share what is uploaded.
class CharacterRenderer {
 public:
  // `atlas` may be null: the actors are drawn from the source then. `hiddenMeshes` are indices into
  // Character::meshes; those outside are passed over. Fails with LimitExceeded.
  static Result<std::unique_ptr<CharacterRenderer>> make(std::shared_ptr<CharacterGpu> character,
                                                         std::shared_ptr<AtlasGpu> atlas,
                                                         std::span<const int> hiddenMeshes,
                                                         const TroupeTools& tools);

  const std::shared_ptr<CharacterGpu>& character() const { return character_; }
  const std::shared_ptr<AtlasGpu>& atlas() const { return atlas_; }

  // What is shown of this character: without an atlas, the source.
  ViewMode shownBy(const PoseSettings& settings) const;

  // Brings actors and poses up to a moment; to be called before anything is drawn. `selected` holds
  // visible actors of `crowd`. Fails where the settings cannot be drawn, and as the skinners do.
  // `selectedActor` is the visible actor of `crowd` whose morph targets are being edited, or -1;
  // without an `eye` all faces are near.
  Result<void> tick(const Crowd& crowd, const RenderSettings& asked,
                    std::span<const std::uint32_t> selected, int selectedActor,
                    std::optional<glm::vec3> eye);

  // Draws the poses of the left (0) or right (1) half of the picture, all over the viewport; they
  // are the same where the picture is not halved. The triangles are chosen here, whatever
  // `pass.runs` holds.
  Result<void> draw(int half, DrawPass pass) const;

  // Shadows and rings on the ground.
  Result<void> drawFootprints(Environment& environment, const SceneLook& look, Shadows shadows);

  // The box of the actors as of the last tick, with all that their poses reach; where there is
  // nobody, its low corner is above its high one.
  const Bounds& reachedBox() const;

  // How many pixels an edge of the character's triangles takes up at most, seen from `eye`, where a
  // metre takes up `pixelsAtMeter` pixels a metre away; as of the last tick.
  double largestEdgePixels(const glm::dvec3& eye, double pixelsAtMeter) const;

  // Keeps where the last tick's vertices are, for DrawPass::Kind::Motion to compare with. Needs a
  // framebuffer that is complete.
  Result<void> keepTrail();
  bool hasTrail() const {
    return motionVectors_.vertices() == std::max<std::size_t>(positions(), 1);
  }
  std::size_t positions() const { return actors() * character_->vertexCount(); }

  bool morphsAtAll() const { return morphs_->morphsAtAll(); }
  const MorphStats& morphs() const { return morphs_->stats(); }

  // Of the last tick.
  std::size_t actors() const { return records_.size(); }
  int drawCalls() const;
  int fetchesPerVertex() const;
  std::size_t uploadedBytes() const;
  std::size_t skinningBytes() const;
  bool skinsOnCpu() const { return halves_[1]->skinner->skinsOnCpu(); }
  // Of either half; nothing where no palette is read.
  std::optional<PaletteRead> paletteRead() const;

  std::size_t triangles() const { return triangles_; }  // shown of one actor

 private:
  // What a skinner is made for.
  struct SkinnerKey {
    Method method = Method::Atlas;
    PoseFrom from = PoseFrom::Atlas;
    ActorStream* actors = nullptr;
    SkinOn skinOn = SkinOn::Gpu;
    ReferencePtr reference = nullptr;  // in place of `method`
    bool operator==(const SkinnerKey&) const = default;
  };
  struct SkinnerSlot {
    SkinnerKey key;
    std::unique_ptr<Skinner> skinner;
  };

  CharacterRenderer(std::shared_ptr<CharacterGpu> character, std::shared_ptr<AtlasGpu> atlas,
                    const TroupeTools& tools);
  void findReach(std::span<const Footprint> poses);
  void chooseRuns(std::span<const int> hiddenMeshes);
  Result<void> wake(SkinnerSlot& slot, const SkinnerKey& key);
  Result<void> wakeBaked(const PoseSettings& settings);
  Result<void> wakeHalves(const PoseSettings& settings);
  Result<void> uploadActors(const Crowd& crowd, const PoseSettings& settings,
                            std::span<const std::uint32_t> selected);
  Result<void> update(SkinnerSlot& slot, const Crowd& crowd, const PoseSettings& settings);

  std::shared_ptr<CharacterGpu> character_;
  std::shared_ptr<AtlasGpu> atlas_;
  TroupeTools tools_;
  std::vector<IndexRun> runs_;  // empty: all triangles
  std::size_t triangles_ = 0;
  std::unique_ptr<MorphStage> morphs_;
  ShadowCasters casters_;
  // What poses reach, in model space: heights, and the way from the vertical axis.
  struct Reach {
    double low = 0.0;
    double high = 0.0;
    double side = 0.0;
  };
  Reach reach_;
  MotionVectors motionVectors_;
  ActorStream actors_;
  ActorStream compactActors_{ActorRecord::Compact};
  SkinnerSlot baked_;
  SkinnerSlot source_;
  SkinnerSlot compared_;
  SkinnerSlot worldBlended_;
  SkinnerSlot* halves_[2] = {nullptr, nullptr};  // as of the last tick
  ActorRecords records_;  // of the crowd that is being drawn, with `unfaded_` for places or not
  std::vector<gpu::CkPlace> unfaded_;
  ReferencePtr reference_;  // of the last tick
  bool tangents_ = false;   // whether the last tick made them
  // By the last tick, once somebody has asked; with the largest scale of an actor.
  mutable std::optional<Bounds> reached_;
  std::uint64_t reachedStamp_ = 0;  // of the places that it is of
  mutable double largestScale_ = 0.0;
  ActorStream* shadowActors_ = &actors_;  // that shadows and rings are drawn from
  std::size_t actorBytes_ = 0;            // uploaded by the last tick
};

}  // namespace ck::render
