#pragma once

#include <memory>
#include <optional>

#include "core/crowd/actor_choice.h"
#include "core/crowd/actor_morphs.h"
#include "core/skinning/shape_skin.h"
#include "render/frame/frame_stats.h"
#include "render/morph/morph_accumulator.h"
#include "render/morph/weight_pass.h"
#include "render/scene/character_gpu.h"

namespace ck::render {

// The input of MorphStage::update().
struct MorphTick {
  const Crowd& crowd;
  ActorChoice chosen = {};       // the crowd's actors that are drawn, in the order of the records
  const Atlas* atlas = nullptr;  // null before anything is baked; must outlive the stage
  ActorRecords records;
  bool fades = true;
  int selectedActor = -1;             // index into the records, or -1
  std::optional<glm::vec3> eye = {};  // without it all actors count as near
};

// The source of an actor's morph weights in a tick.
enum class WeightsFrom : std::int8_t {
  Default,   // default weights
  Rows,      // baked weights and the actor's own
  Selected,  // the accumulator
};

// The stage before skinning. It provides the morphed bind vertices of all actors of one character,
// for vertex shaders and the prepass (crowd/morphs.glsl) and for the CPU. It is the same for all
// methods and passes.
//
// update() only determines which actors are near. Their weights are mixed from the frames of the
// atlas when they are skinned: on the GPU by a WeightPass, if makeRows() was called, and on the CPU
// actor by actor.
class MorphStage {
 public:
  // `character` must outlive it.
  MorphStage(const CharacterGpu& character, ShaderLibrary& shaders, const ContextFacts& facts);

  // Fails with LimitExceeded, Unsupported (the accumulator's settings) and Internal (a shader).
  Result<void> update(const MorphTick& tick, const MorphView& view);

  bool morphsAtAll() const { return !set_.empty(); }

  // Whether any actor has other weights than the defaults. If not, nothing needs to be bound.
  bool active() const { return active_; }

  // For an actor by its index in the records, as of the last update.
  WeightsFrom weightsFrom(std::size_t actor) const;

  // Prepares bind() once per tick. Called by update() of each skinner that draws with CK_MORPHS.
  // Fails with LimitExceeded and Internal (a shader).
  Result<void> makeRows();

  // Binds textures and uniforms for a program with CK_MORPHS that is in use. Requires makeRows().
  void bind(const Program& program) const;

  // Morphs on the CPU: changes welded bind vertices with default weights to the actor's weights.
  // Normals and tangents are not normalised; `tangents` may be empty.
  void shape(std::size_t actor, std::span<glm::vec3> positions, std::span<glm::vec3> normals,
             std::span<glm::vec4> tangents = {}) const;

  // The actor's weights minus the defaults, as morphs of differences().
  void shapesOf(std::size_t actor, std::vector<ShownShape>& shapes) const;
  const DifferenceSet& differences() const { return differences_; }

  const MorphStats& stats() const { return stats_; }
  std::size_t heldBytes() const;  // memory of all resources, used or not
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // since the last update began

 private:
  // Reads the data that is constant while the crowd plays.
  Result<void> readCrowd(const MorphTick& tick);
  // Calls `add(morph, weight - default)` for each morph that the actor shows.
  template <class Add>
  void eachMorph(std::size_t actor, Add&& add) const;
  Result<void> uploadShapes();
  void appendSelectedTangents(std::vector<std::int32_t>& slots) const;
  Result<void> updateSelected(const MorphTick& tick, const MorphView& view);
  std::vector<float> sourceWeights(const MorphTick& tick, std::size_t actor) const;
  void findNear(const MorphTick& tick, const MorphView& view);

  const CharacterGpu& character_;
  ShaderLibrary& shaders_;
  const ContextFacts& facts_;
  MorphSet set_;
  DifferenceSet differences_;
  std::unique_ptr<MorphAccumulator> accumulator_;
  CrowdStamp selectedStamp_;
  int selected_ = -1;
  int selectedClip_ = -1;
  std::uint64_t crowdOrigin_ = 0;  // origin of the crowd that `rows_` was made from; 0: none
  std::optional<const Atlas*> rowsAtlas_;  // atlas that `rows_` was made from
  MorphRows rows_;
  // Whether `weights_` holds the frames of `rows_`, and the rows of this tick.
  bool framesSet_ = false;
  bool ownSet_ = false;
  bool rowsMade_ = false;
  WeightPass weights_;
  std::vector<int> uploadedShapes_;  // the morphs in `entries_`
  ActorRecords records_;
  ActorChoice chosen_;
  std::vector<NearActor> near_;      // one per row
  std::vector<std::int32_t> slots_;  // per actor: its row, -1 for none, -2 for the selected actor
  BufferTexture vertices_{TexelKind::Rgba32I};  // per vertex: first entry, count, place
  // Two or three texels each: position and column; normal; tangent, if morphs turn tangents.
  BufferTexture entries_;
  BufferTexture slotTexture_{TexelKind::R32I};
  bool active_ = false;
  std::size_t uploadedBytes_ = 0;
  MorphStats stats_;
};

}  // namespace ck::render
