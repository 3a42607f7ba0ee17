#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/context.h"
#include "render/gl/index_texture.h"
#include "render/gl/shader_library.h"
#include "render/scene/atlas_gpu.h"
#include "render/skinning/actor_stream.h"

namespace ck::render {

// The source of the matrices: the defines of palette/fill.comp and fill.frag, and a function that
// binds their resources. `bind` is called with the program in use.
struct PaletteSource {
  std::vector<ShaderDefine> defines;
  std::function<void(const Program&)> bind;
};

// The input of a palette pass: the records of actors, which are on the GPU.
struct PaletteJob {
  const ActorStream& actors;  // full records
  // The actor of every slot, in `actors`. Empty: slot i is of actor i.
  std::span<const std::uint32_t> slotActors = {};
  bool foldWorld = false;     // multiply with each record's transform
  bool showsTwoClips = true;  // whether any record may have a second clip (anyShowsTwoClips())
  bool roomToGrow = true;     // allocate extra capacity
  // As storage buffer instead of texture. Ignored if vertex shaders cannot read storage buffers
  // (ContextFacts::vertexStorage).
  bool readAsStorage = false;

  std::size_t slotCount() const { return slotActors.empty() ? actors.size() : slotActors.size(); }
};

// Skin matrices of many poses on the GPU, three rows per slot and joint. They lead from model space
// to model space, or to world space with `foldWorld`. A compute shader writes them to a buffer, or,
// before OpenGL 4.3, a fragment pass to three float textures, one per row.
class PalettePass {
 public:
  PalettePass(const ContextFacts& facts, int jointCount, ShaderLibrary& shaders)
      : compute_(facts.compute),
        vertexStorage_(facts.compute && facts.vertexStorage),
        shaders_(shaders),
        jointCount_(jointCount) {}

  // Fails with LimitExceeded, which says how many poses fit, and Internal (a shader).
  Result<void> run(const PaletteJob& job, const PaletteSource& source);

  // Binds the palette for a program that includes pose/palette_pose.glsl and is in use.
  void bind(const Program& program) const;
  // Reads back the rows of the last run(), slot-major, three per joint. Waits for the GPU.
  void read(std::vector<glm::vec4>& rows);
  // Whether programs read the palette of the last run() as storage buffer.
  bool readsStorage() const { return readsStorage_; }

  // Whether the palette is in three textures.
  bool drawsTargets() const { return !compute_; }
  std::size_t sizeBytes() const;
  std::size_t uploadedBytes() const { return slotActors_.uploadedBytes(); }  // by the last run()

 private:
  struct Extent {
    int slotCount = 0;
    int rows = 0;     // slots below one another, in textures
    int columns = 0;  // column blocks side by side, in textures
  };
  Result<void> reserve(std::size_t slots, bool roomToGrow);
  Result<void> reserveTargets();
  Result<const Program*> fillProgram(const PaletteJob& job, const PaletteSource& source);
  void readTargets(std::vector<glm::vec4>& rows);
  void runCompute();
  void runFragment();

  bool compute_;
  bool vertexStorage_;
  ShaderLibrary& shaders_;
  int jointCount_;
  Extent extent_;
  bool readsStorage_ = false;
  int capacity_ = 0;                 // allocated slots
  IndexTexture slotActors_;          // PaletteJob::slotActors
  BufferTexture rows_;               // with compute shaders
  std::array<GlHandle, 3> targets_;  // without
  GlHandle framebuffer_;
  GlHandle emptyArray_;
};

// A palette that is filled from an atlas, with each joint relative to its parent
// (Reading::Palette), between frames and between clips. The arguments must outlive it.
class AtlasPalette : public PalettePass {
 public:
  AtlasPalette(const AtlasGpu& atlas, const ContextFacts& facts, ShaderLibrary& shaders)
      : PalettePass(facts, static_cast<int>(atlas.atlas->joints.size()), shaders), atlas_(atlas) {}

  // `interpolate` between frames, else take the nearest frame. Fails like run().
  Result<void> fill(const PaletteJob& job, bool interpolate);

 private:
  const AtlasGpu& atlas_;
  BufferTexture parents_{TexelKind::R32I};
};

}  // namespace ck::render
