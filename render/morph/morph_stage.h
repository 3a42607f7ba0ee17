#pragma once

#include <memory>
#include <optional>

#include "core/crowd/shown_morphs.h"
#include "core/skinning/shape_skin.h"
#include "render/morph/morph_view.h"
#include "render/morph/weight_pass.h"
#include "render/scene/character_gpu.h"

namespace ck::render {

// A moment of a crowd to be morphed.
struct MorphTick {
  const Crowd& crowd;
  const Atlas* atlas = nullptr;  // null before anything is baked; to outlive the stage
  ActorRecords records;
  bool fades = true;
  int selectedActor = -1;             // a visible actor, or none
  std::optional<glm::vec3> eye = {};  // without it all actors are near
};

// Where an actor's face comes from in a tick.
enum class FaceFrom : std::int8_t {
  Default,   // it keeps the default shape
  Rows,      // weights that were baked, and its own
  Selected,  // the accumulator
};

// The stage before skinning: for every actor of one character the bind vertices that vertex shaders
// and the prepass (crowd/morphs.glsl) or the processor skin. The same for all methods and passes.
//
// A tick only finds out which actors are near. Their weights are mixed from the frames of the atlas
// by those who skin them: on the GPU by a WeightPass, where makeRows() asks for it, and on the
// processor actor by actor.
class MorphStage {
 public:
  // `character` must outlive it.
  MorphStage(const CharacterGpu& character, ShaderLibrary& shaders, const ContextFacts& facts);

  // Fails with LimitExceeded, Unsupported (the accumulator's settings) and Internal (a shader).
  Result<void> update(const MorphTick& tick, const MorphView& view);

  bool morphsAtAll() const { return !set_.empty(); }

  // Whether any actor shows other weights than the defaults; nothing is to be bound else.
  bool active() const { return active_; }

  // Of a visible actor, as of the last update.
  FaceFrom faceOf(std::size_t actor) const;

  // Makes what bind() needs, once a tick; to be called by the update of whoever draws with
  // CK_MORPHS. Fails with LimitExceeded and Internal (a shader).
  Result<void> makeRows();

  // For a program that was made with CK_MORPHS and is in use, after makeRows().
  void bind(const Program& program) const;

  // The same on the CPU: moves welded bind vertices, which have the default weights, to what the
  // actor shows. Normals are not normalised.
  void shape(std::size_t actor, std::span<glm::vec3> positions, std::span<glm::vec3> normals) const;

  // The same as shapes of differences(), weights less the defaults.
  void shownBy(std::size_t actor, std::vector<ShownShape>& shapes) const;
  const DifferenceSet& differences() const { return differences_; }

  const MorphStats& stats() const { return stats_; }
  std::size_t heldBytes() const;  // of all that it has made, shown or not
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // since the last update began

 private:
  // Reads what does not change while the crowd plays.
  Result<void> readCrowd(const MorphTick& tick);
  // Calls `add(shape, weight - default)` for what the actor shows.
  template <class Add>
  void eachShown(std::size_t actor, Add&& add) const;
  Result<void> uploadShapes();
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
  std::uint64_t crowdOrigin_ = 0;          // of the crowd that `rows_` are of; 0: none
  std::optional<const Atlas*> rowsAtlas_;  // likewise
  MorphRows rows_;
  // Whether `weights_` has what `rows_` say, and rows for this tick.
  bool framesSet_ = false;
  bool ownSet_ = false;
  bool rowsMade_ = false;
  WeightPass weights_;
  std::vector<int> uploadedShapes_;  // shapes that `entries_` have
  ActorRecords records_;
  std::vector<NearActor> near_;      // one per row
  std::vector<std::int32_t> slots_;  // per actor: its row, -1 none, -2 the selected actor
  BufferTexture vertices_{TexelKind::Rgba32I};  // per vertex: first entry, how many, place
  BufferTexture entries_;                       // two texels: position and column; normal
  BufferTexture slotTexture_{TexelKind::R32I};
  bool active_ = false;
  std::size_t uploadedBytes_ = 0;
  MorphStats stats_;
};

}  // namespace ck::render
