#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/crowd/crowd.h"
#include "core/view/view_settings.h"
#include "render/gl/context.h"
#include "render/gl/shader_library.h"
#include "render/scene/atlas_gpu.h"
#include "render/scene/character_gpu.h"
#include "render/scene/scene_look.h"
#include "render/scene/skinned_store.h"
#include "render/skinning/actor_stream.h"
#include "render/skinning/atlas_variants.h"

namespace ck::render {

class MorphStage;

// What the actors' poses are taken from. Methods other than cpu draw PoseFrom::Atlas alone.
enum class PoseFrom {
  Atlas,       // what is baked; the clips as the crowd plays them for methods that pose clips
  Source,      // the file's own clips
  AtlasError,  // as Atlas, with the distance to the source for every vertex
};

// What a skinner is made for. All must outlive it. `atlas` may be null for a skinner that reads the
// source.
struct SkinnerInput {
  CharacterGpu& character;
  AtlasGpu* atlas = nullptr;
  ActorStream& actors;
  ShaderLibrary& shaders;
  const ContextFacts& facts;
  SkinnedStore* store = nullptr;  // where vertices go that are skinned before they are drawn
  SkinOn skinOn = SkinOn::Gpu;
  PoseFrom from = PoseFrom::Atlas;
};

// The moment to show. `records` are what Crowd::instances() gave, already in the ActorStream.
struct SkinningTick {
  const Crowd& crowd;
  ActorRecords records = {};
  PoseSettings pose = {};        // settled (render_settings.h), and `paletteRead` never Auto
  MorphStage* morphs = nullptr;  // null where nobody shows other shapes than the default
  bool tangents = false;         // whether passes will show those of the character
};

// Some of a character's triangles, as a run of its indices.
struct IndexRun {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  bool operator==(const IndexRun&) const = default;
};

// One drawing of all actors.
struct DrawPass {
  enum class Kind {
    Color,
    ShadedColor,  // the same in the shadows of SceneLook::shadows
    ActorIds,     // firstId + the actor's index, as unsigned
    Positions,    // no pixels: world positions of all welded vertices go to `feedbackBuffer`
    Depth,        // nothing but depth, from the same tick: what shadows are cast by
    Motion,    // the way since `previous`; with `feedbackBuffer` into it, as Positions, not painted
    Tangents,  // in the world; with `feedbackBuffer` four numbers a vertex into it, not painted
  };
  Kind kind = Kind::Color;
  SceneLook look;
  unsigned feedbackBuffer = 0;
  // World positions as Positions writes them, of the tick before: one texel a number. Null for what
  // does not move.
  const BufferTexture* previous = nullptr;
  // Moves these to where the camera of now would see them as the camera of their tick did.
  glm::mat4 cameraStep{1.0f};
  std::uint32_t firstId = 1;           // of the actors being drawn; 0 is nobody
  std::span<const IndexRun> runs{};    // the triangles to draw; all where there are none
  const MorphStage* morphs = nullptr;  // as in the tick; for programs made with CK_MORPHS alone
  double pixelsAtMeter = 0.0;          // how many a metre takes up a metre away
  bool litBefore = false;              // Color: light is made at the vertices
  bool vertexStageOnly = false;        // everything but the rasteriser runs, to be measured
};

// One way to draw a crowd. Made once per bake, updated once per tick, drawn once per view.
class Skinner {
 public:
  virtual ~Skinner() = default;

  // Fails with LimitExceeded and Internal; nothing may be drawn then.
  virtual Result<void> update(const SkinningTick& tick) = 0;
  // Draws what the last update() said; any number of times. Fails with Internal (a shader).
  virtual Result<void> draw(const DrawPass& pass) const = 0;

  virtual int fetchesPerVertex() const = 0;  // of poses, in the vertex stage, at most
  // The calls of one draw() that paints, with these `runs` of DrawPass.
  virtual int drawCalls(std::size_t actors, std::span<const IndexRun> runs) const {
    return actors == 0 ? 0 : static_cast<int>(std::max<std::size_t>(runs.size(), 1));
  }
  virtual std::size_t uploadedBytes() const = 0;  // by the last update, without the actors' records
  virtual std::size_t heldBytes() const { return 0; }  // of what it has made: matrices, vertices
  virtual bool skinsOnCpu() const { return false; }    // as the last update did
  // What the last update's palette is read through; nothing where vertex shaders read none.
  virtual std::optional<PaletteRead> paletteRead() const { return std::nullopt; }
};

using SkinnerResult = Result<std::unique_ptr<Skinner>>;

// The skinner of a method. Each method specialises this in its own .cpp; a method that does not is
// an undefined reference when the program is linked.
template <Method method>
SkinnerResult skinnerOf(const SkinnerInput& input);

// The same for a method that is known at run time. Fails with Unsupported where the method cannot
// show poses from `input.from`, and as the skinner does.
SkinnerResult makeSkinner(Method method, const SkinnerInput& input);

// A way to draw that no project asks for, to compare the methods with (render/references.h).
struct ReferenceMethod {
  std::string title;   // of the part of a picture that it draws
  std::string beside;  // of the part that the project's method draws beside it
  std::string tip;     // what it shows: a clause without a full stop
  std::function<SkinnerResult(const SkinnerInput&)> make;
};
using ReferencePtr = std::shared_ptr<const ReferenceMethod>;

}  // namespace ck::render
