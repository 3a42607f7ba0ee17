#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/crowd/actor_choice.h"
#include "core/crowd/crowd.h"
#include "core/view/view_settings.h"
#include "render/gl/context.h"
#include "render/gl/shader_library.h"
#include "render/scene/atlas_gpu.h"
#include "render/scene/character_gpu.h"
#include "render/scene/scene_look.h"
#include "render/scene/skinned_store.h"
#include "render/skinning/actor_stream.h"
#include "render/skinning/method_offers.h"

namespace ck::render {

class MorphStage;

// The source of the actors' poses. Methods other than cpu draw PoseFrom::Atlas only.
enum class PoseFrom {
  Atlas,       // the atlas; for methods that pose clips, the crowd's clips
  Source,      // the clips of the file
  AtlasError,  // as Atlas, with each vertex's distance to the source (docs/techniques.md 3.4)
};

// The resources of a skinner, which must outlive it. `atlas` may be null for a skinner that shows
// the source.
struct SkinnerInput {
  CharacterGpu& character;
  AtlasGpu* atlas = nullptr;
  ActorStream& actors;
  ShaderLibrary& shaders;
  const ContextFacts& facts;
  SkinnedStore* store = nullptr;  // memory for vertices that are skinned before drawing
  SkinOn skinOn = SkinOn::Gpu;
  PoseFrom from = PoseFrom::Atlas;
};

// The poses to show. `records` are those of Crowd::instances(), or of the chosen ones among them,
// and must be in the ActorStream.
struct SkinningTick {
  const Crowd& crowd;
  ActorChoice chosen = {};  // the crowd's actors that are drawn, in the order of the records
  ActorRecords records = {};
  PoseSettings pose = {};        // resolved (render_settings.h); `paletteRead` is never Auto
  MorphStage* morphs = nullptr;  // null if all actors have the default weights
  bool tangents = false;         // whether passes will show the character's tangents
  std::span<const int> hiddenMeshes = {};  // not drawn
};

// A part of a character's triangles, as a run of indices.
struct IndexRun {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  bool operator==(const IndexRun&) const = default;
};

// Consecutive actors of the stream.
struct ActorRun {
  std::size_t first = 0;
  std::size_t count = 0;
};

// One pass over all actors.
struct DrawPass {
  enum class Kind {
    Color,
    ShadedColor,  // with the shadows of SceneLook::shadows
    ActorIds,     // firstId + the actor's index, as unsigned
    Positions,    // writes world positions of all welded vertices to `feedbackBuffer`; no pixels
    Depth,        // depth only, for shadow maps
    Motion,       // motion since `previous`; with `feedbackBuffer` written there instead of drawn
    // World tangents; with `feedbackBuffer` four numbers per vertex are written there instead of
    // drawn.
    Tangents,
    // Writes the world normals that light is computed from to `feedbackBuffer`, of any length; no
    // pixels.
    Normals,
    Wireframe,  // edges of triangles; needs glPolygonMode(GL_LINE)
    // Base colour and form, into the two layers of far actors' pictures (shaders/far/cell.glsl).
    Impostor,
  };
  Kind kind = Kind::Color;
  SceneLook look = {};
  unsigned feedbackBuffer = 0;
  // World positions of the previous tick as written by Positions, one number per texel. Null for
  // static objects.
  const BufferTexture* previous = nullptr;
  // Moves `previous` to where the current camera sees it as the camera of that tick did.
  glm::mat4 cameraStep{1.0f};
  std::uint32_t firstId = 1;           // id of the first drawn actor; 0 is no actor
  std::span<const IndexRun> runs{};    // the triangles to draw; empty: all
  const MorphStage* morphs = nullptr;  // as in the tick; for programs with CK_MORPHS
  double pixelsAtMeter = 0.0;          // pixels per metre at a distance of one metre
  bool onlySelected = false;           // Wireframe: nothing of the other actors
  bool litBefore = false;              // Color: light is computed at the vertices
  // Color and ShadedColor: draws what AlphaMode::Blend covers in part, into BlendLayers, instead of
  // what hides all behind it.
  bool overlaid = false;
  // The actors have shares, and are drawn in part: colours by the shares, all other passes without
  // the ways that go out.
  bool dissolves = false;
  bool vertexStageOnly = false;  // rasterisation is off, for measurements
  // For skinners that draw parts (Skinner::drawsParts()), in passes without feedback: only these
  // actors, or all if there are none; and a level of detail in place of the character, or null.
  std::span<const ActorRun> actors{};
  CharacterGpu* shape = nullptr;
};

// The cost of a skinner's last update() and of one draw().
struct SkinnerCost {
  int drawCalls = 0;
  int fetchesPerVertex = 0;       // maximum texel fetches for poses in the vertex stage
  std::size_t uploadedBytes = 0;  // without the actors' records
  std::size_t heldBytes = 0;      // memory of computed matrices and vertices
  bool onCpu = false;             // whether vertices were skinned on the CPU
  // How the palette is read; nothing if vertex shaders read no palette.
  std::optional<PaletteRead> paletteRead = {};
};

// The drawn vertex that is farthest from the source.
struct WorstVertex {
  double meters = -1.0;      // in the world, so times the actor's scale; -1 without vertices
  std::size_t actor = 0;     // index of a visible actor
  std::uint32_t vertex = 0;  // of the character: its meshes in order
};

// One instanced call for each run; one for all triangles without runs.
inline int instancedCalls(std::size_t actors, std::span<const IndexRun> runs) {
  return actors == 0 ? 0 : static_cast<int>(std::max<std::size_t>(runs.size(), 1));
}

// A way to draw a crowd. Constructed once per bake, updated once per tick, drawn once per view.
class Skinner {
 public:
  virtual ~Skinner() = default;
  // Computes what draw() needs for a tick. Fails with LimitExceeded and Internal; draw() must not
  // be called then.
  virtual Result<void> update(const SkinningTick& tick) = 0;
  // Draws the last update(), any number of times. Fails with Internal (a shader).
  virtual Result<void> draw(const DrawPass& pass) const = 0;
  // Whether draw() keeps to DrawPass::actors and DrawPass::shape, which others must not be given.
  virtual bool drawsParts() const { return false; }
  // The cost for this number of actors and these DrawPass::runs.
  virtual SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const = 0;
  // The worst vertex of the last update() with PoseFrom::AtlasError; nothing otherwise, and without
  // actors.
  virtual std::optional<WorstVertex> worstVertex() const { return std::nullopt; }
};

using SkinnerResult = Result<std::unique_ptr<Skinner>>;

// The skinner of a method. Each method specialises this in its own .cpp; the linker reports a
// missing specialisation.
template <Method method>
SkinnerResult skinnerOf(const SkinnerInput& input);

// Makes the skinner of a method that is known at run time. Fails with Unsupported if the method
// cannot show poses from `input.from`, and as the skinner does.
SkinnerResult makeSkinner(Method method, const SkinnerInput& input);

// A way to draw that is not a method, for comparison (render/references.h).
struct ReferenceMethod {
  std::string title;   // label of the half that it draws
  std::string beside;  // label of the half that the project's method draws
  std::string tip;     // a description without a full stop
  std::function<SkinnerResult(const SkinnerInput&)> make;
};
using ReferencePtr = std::shared_ptr<const ReferenceMethod>;

}  // namespace ck::render
