#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/actor_choice.h"
#include "core/crowd/crowd.h"
#include "core/detail/detail_plan.h"
#include "render/frame/frame_stats.h"
#include "render/morph/morph_stage.h"
#include "render/shadows/shadow_cascades.h"
#include "render/skinning/draw_actors.h"
#include "render/skinning/skinner.h"
#include "render/view/environment.h"
#include "render/view/render_settings.h"

namespace ck::render {

// Resources that all character renderers share, and which must outlive them.
struct CharacterTools {
  ShaderLibrary& shaders;
  const ContextFacts& facts;
  SkinnedStore& skinned;
};

// Draws one character with all its actors: its uploads, its skinners, and its actors' records.
// Variants of a character share uploads.
class CharacterRenderer {
 public:
  // `atlas` may be null: actors are then drawn from the source. `hiddenMeshes` are indices into
  // Character::meshes; others are ignored. Fails with LimitExceeded.
  static Result<std::unique_ptr<CharacterRenderer>> make(std::shared_ptr<CharacterGpu> character,
                                                         std::shared_ptr<AtlasGpu> atlas,
                                                         std::span<const int> hiddenMeshes,
                                                         const CharacterTools& tools);

  // A renderer of a level of detail of `whole`'s character (uploadLevel()), with its atlas and its
  // hidden meshes.
  static std::unique_ptr<CharacterRenderer> makeLevel(const CharacterRenderer& whole,
                                                      std::shared_ptr<CharacterGpu> level);

  const std::vector<int>& hiddenMeshes() const { return hiddenMeshes_; }
  std::uint64_t stamp() const { return stamp_; }  // unique in the program
  const std::shared_ptr<CharacterGpu>& character() const { return character_; }
  const std::shared_ptr<AtlasGpu>& atlas() const { return atlas_; }

  // The view mode of this character: Source if it has no atlas.
  ViewMode viewModeFor(const PoseSettings& settings) const;

  // Updates actors and poses; must be called before drawing. `uploaded` has the crowd's records as
  // of now. `selected` holds visible actors of `crowd`. `selectedActor` is the visible actor whose
  // morphs are being edited, or -1. Without an `eye` all actors count as near. Only the chosen
  // actors are drawn. Fails if the settings cannot be drawn, and as the skinners do.
  Result<void> tick(const Crowd& crowd, const CrowdRecords& uploaded, const ActorChoice& chosen,
                    const RenderSettings& asked, std::span<const std::uint32_t> selected,
                    int selectedActor, std::optional<glm::vec3> eye);

  // Draws the poses of the left (0) or right (1) half to the whole viewport. Both are equal if the
  // view is not split. `pass.runs` is replaced.
  Result<void> draw(int half, DrawPass pass) const;

  // Draws the depth of the poses of the right half into a shadow map, of them only castersIn(), by
  // `shape`, a renderer of a coarser level of detail, unless it is null. Methods that keep vertices
  // draw all actors as they are. Returns the number of triangles.
  Result<std::size_t> drawShadow(const ShadowCascades& cascades, int map, DrawPass pass,
                                 const CharacterRenderer* shape) const;

  // The extent of all poses of an actor of scale 1.
  const ActorReach& reach() const { return reach_; }

  // Gives the drawn actors this tint, 5-6-5 bits, in place of their own from the next tick on,
  // where not all of the crowd is drawn.
  void paint(std::optional<int> tint565) { paint_ = tint565; }

  // Draws shadows and selection rings on the ground.
  Result<void> drawFootprints(Environment& environment, const SceneLook& look, Shadows shadows);
  // Draws the shadows of far actors of this character.
  Result<void> drawFarFootprints(Environment& environment, const SceneLook& look,
                                 const FarActors& actors, Shadows shadows, FarShape shape) const {
    shape.bodyMeters = reach_.high - reach_.low;
    return environment.drawFarFootprints(look, casters_, actors, shadows, shape);
  }

  // The box of the actors as of the last tick, including everything that their poses reach. Without
  // actors its lower corner is above its upper one.
  const Bounds& reachedBox() const;

  // Whether software OpenGL should compute the light of these actors at their vertices instead of
  // at every pixel: the image must hardly change, and it must be faster (docs/techniques.md 4.6).
  // `pixelsAtMeter` is the number of pixels per metre at a distance of one metre.
  bool lightPaysAtVertices(const SceneLook& look, double pixelsAtMeter, int width,
                           int height) const;

  // Stores the vertex positions of the last tick by transform feedback. The motion view
  // (DrawPass::Kind::Motion) compares with them, so motion is correct across seams and changes of
  // clips, in every method. Needs a complete framebuffer. Fails with LimitExceeded if they do not
  // fit, and as draw() does.
  Result<void> keepPositions();
  bool hasPositions() const { return keptPositions_ == std::max<std::size_t>(positions(), 1); }
  std::size_t positions() const { return actors() * character_->vertexCount(); }

  bool morphsAtAll() const { return morphs_->morphsAtAll(); }
  const MorphStats& morphs() const { return morphs_->stats(); }

  std::size_t actors() const { return records_.size(); }  // as of the last tick
  // Adds the cost of the last tick and of drawing it. Uploads count only if `stats.ticked`.
  void addTo(FrameStats& stats) const;

  // The worst vertex of the error view, as of the last tick; nothing in other views.
  std::optional<WorstVertex> worstVertex() const { return halves_[1].skinner->worstVertex(); }

  // Whether a visible mesh has a material with AlphaMode::Blend (DrawPass::overlaid).
  bool isBlended() const { return !blendedRuns_.empty(); }

  // The visible triangles.
  std::vector<IndexRun> visibleRuns() const { return drawnRuns(*character_, {.runs = runs_}); }
  std::size_t triangles() const { return triangles_; }  // visible triangles of one actor

 private:
  // Identifies a skinner.
  struct SkinnerKey {
    Method method = Method::Atlas;
    PoseFrom from = PoseFrom::Atlas;
    ActorStream* actors = nullptr;
    SkinOn skinOn = SkinOn::Gpu;
    ReferencePtr reference = nullptr;  // in place of `method`
    bool operator==(const SkinnerKey&) const = default;
  };
  struct Half {
    SkinnerKey key;
    std::shared_ptr<Skinner> skinner;  // of both halves, if they are equal
  };

  CharacterRenderer(std::shared_ptr<CharacterGpu> character, std::shared_ptr<AtlasGpu> atlas,
                    const CharacterTools& tools);
  void findReach(std::span<const Footprint> poses);
  void chooseRuns(std::span<const int> hiddenMeshes);
  std::array<SkinnerKey, 2> keysFor(const PoseSettings& settings);
  Result<std::shared_ptr<Skinner>> made(const SkinnerKey& key) const;
  Result<void> wakeHalves(const PoseSettings& settings);
  bool isSplit() const { return halves_[0].skinner != halves_[1].skinner; }
  void gather(const ActorRecords& all);
  Result<void> readyActors(const Crowd& crowd, const CrowdRecords& uploaded,
                           const PoseSettings& settings, std::span<const std::uint32_t> selected);
  Result<void> update(Skinner& skinner, const Crowd& crowd, const PoseSettings& settings);

  std::uint64_t stamp_ = newStamp();
  std::shared_ptr<CharacterGpu> character_;
  std::shared_ptr<AtlasGpu> atlas_;
  CharacterTools tools_;
  std::vector<int> hiddenMeshes_;
  std::vector<IndexRun> runs_;         // empty: all triangles
  std::vector<IndexRun> blendedRuns_;  // of visible meshes with AlphaMode::Blend
  std::size_t triangles_ = 0;
  std::unique_ptr<MorphStage> morphs_;
  ShadowCasters casters_;
  ActorReach reach_;
  BufferTexture previous_{TexelKind::R32F};  // DrawPass::previous
  std::size_t keptPositions_ = 0;            // 0: nothing is stored; 1 also for no vertices
  ActorStream actors_;
  ActorStream compactActors_{ActorRecord::Compact};
  std::array<Half, 2> halves_;  // as of the last tick
  ActorRecords records_;        // of the drawn actors, with the places of `unfaded_` if it is used
  ActorChoice chosen_;          // the drawn actors, as of the last tick
  OwnedActorRecords gathered_;  // records of the chosen actors, if not all are
  // Stamps of what the gathered places were taken from, and their own.
  std::uint64_t gatheredPlaces_ = 0;
  std::uint64_t gatheredChoice_ = 0;
  std::uint64_t gatheredStamp_ = 0;
  std::optional<int> gatheredPaint_;
  std::optional<int> paint_;
  std::vector<gpu::CkPlace> unfaded_;
  ReferencePtr reference_;  // of the last tick
  bool tangents_ = false;   // whether the last tick computed tangents
  // Computed on demand for the last tick, with the largest scale of an actor.
  mutable std::optional<Bounds> reached_;
  std::uint64_t reachedStamp_ = 0;  // stamp of the places that reached_ was computed from
  mutable double largestScale_ = 0.0;
  ActorStream* shadowActors_ = &actors_;  // the stream for shadows and rings
  std::size_t actorBytes_ = 0;            // uploaded by the last tick, without the crowd's records
};

}  // namespace ck::render
