#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/skinning/morph_tangents.h"
#include "core/skinning/shape_skin.h"
#include "core/skinning/tangent_skinning.h"
#include "render/gl/framebuffer.h"
#include "render/gl/index_texture.h"
#include "render/methods/palette/palette_pass.h"
#include "render/scene/character_gpu.h"
#include "render/scene/skinned_store.h"

namespace ck::render {

class MorphStage;

// Where vertices are skinned.
enum class PrepassWay {
  Compute,   // a compute shader; OpenGL 4.3
  Feedback,  // a vertex shader with transform feedback; OpenGL 3.3
  Cpu,       // the CPU (FastSkin), with the palette read back
};

// The input of a prepass. Slot i of the palette belongs to actor `actors[i]` of the lease; actors
// are ascending.
struct PrepassJob {
  PalettePass& palette;
  std::span<const std::uint32_t> actors;
  // Matrices lead to world space. Slot i is then that of the i-th of these records and places,
  // which are not read otherwise.
  bool foldWorld = false;
  const ActorStream& records;
  std::span<const gpu::CkPlace> places;
  int influences = 4;
  bool tangents = false;         // as the lease was reserved
  MorphStage* morphs = nullptr;  // null if all actors have the default weights
};

// Writes the skinned vertices of a character's actors to a store. The arguments must outlive it.
class VertexPrepass {
 public:
  VertexPrepass(PrepassWay way, const CharacterGpu& character, ShaderLibrary& shaders);

  // Fails with LimitExceeded (no memory) and Internal (a shader).
  Result<void> run(const PrepassJob& job, SkinnedStore& store, const SkinnedStore::Lease& lease);

  PrepassWay way() const { return way_; }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last run

 private:
  // The job's actors that are in one run of the store.
  struct Share {
    SkinnedStore::Run run;
    std::size_t firstTarget = 0;  // index in targets_ and the palette
    std::size_t targets = 0;
  };
  std::vector<Share> shareOut(const PrepassJob& job, const SkinnedStore::Lease& lease);
  Result<void> uploadTargets(const PrepassJob& job);
  Result<const Program*> prepare(const PrepassJob& job);
  Result<void> uploadBind();
  void runCompute(const Program& program, SkinnedStore& store, bool tangents,
                  std::span<const Share> shares);
  Result<void> runFeedback(const Program& program, SkinnedStore& store, bool tangents,
                           std::span<const Share> shares);
  Result<void> runCpu(const PrepassJob& job, SkinnedStore& store, std::span<const Share> shares);
  void keepSkinFor(int influences);
  void keepShapesFor(const MorphStage& morphs);
  Result<void> skinTangentsCpu(const PrepassJob& job, SkinnedStore& store, const Share& share);

  PrepassWay way_;
  const CharacterGpu& character_;
  ShaderLibrary& shaders_;
  std::vector<std::uint32_t> targets_;  // index of each actor's first vertex in its page
  IndexTexture targetTexels_;
  IndexTexture actorTexels_;  // the job's actors, if they have morphs
  BufferTexture bind_{TexelKind::Rgba32I};
  GlHandle emptyArray_;
  // Transform feedback needs a framebuffer, even without rasterisation.
  std::optional<Target> nowhere_;
  std::optional<FastSkin> skin_;
  std::optional<ShapeSkin> shapes_;           // for the same number of influences
  std::optional<FastTangents> fastTangents_;  // for the same number of influences
  std::optional<MorphTangents> morphTangents_;
  int skinInfluences_ = 0;
  std::vector<glm::vec4> rows_;
  std::size_t uploadedBytes_ = 0;
};

}  // namespace ck::render
