#pragma once

#include <array>
#include <memory>
#include <span>

#include "render/gl/buffer.h"
#include "render/gl/context.h"
#include "render/scene/atlas_gpu.h"
#include "render/shader/shader_library.h"

namespace ck::render {

// How a palette is filled.
enum class PaletteFill {
  Compute,   // a compute shader into a buffer, read as a buffer texture; OpenGL 4.3
  Fragment,  // a pass into three float targets, one per row, read as textures; OpenGL 3.3
};

// The way that the context can go: Compute where it has it.
PaletteFill paletteFillFor(const ContextFacts& facts);

// What to fill a palette with.
struct PaletteJob {
  std::span<const gpu::CkActor> poses;  // one per slot
  bool interpolate = true;
  bool foldWorld = false;  // multiply each pose's own transform in
};

// Skin matrices of many poses on the GPU, three rows per slot and joint: model space to model
// space, or to world space where the transform is folded in. Every joint is read relative to its
// parent (Reading::Palette), and two clips are blended so, too.
class PalettePass {
 public:
  PalettePass(PaletteFill fill, const AtlasGpu& atlas, ShaderLibrary& shaders);

  // Fails with LimitExceeded, which says how many poses fit, and Internal (a shader).
  Result<void> run(const PaletteJob& job);

  // Binds the palette for programs compiled with defines() and sets their uniforms.
  void bind(const Program& program) const;
  std::vector<ShaderDefine> defines() const;

  PaletteFill fill() const { return fill_; }
  std::size_t sizeBytes() const;
  std::size_t uploadedBytes() const { return poses_.sizeBytes(); }

 private:
  struct Extent {
    int slots = 0;
    int rows = 0;     // slots below one another, for Fragment
    int columns = 0;  // of joints side by side
  };
  Result<void> reserve(std::size_t slots);
  Result<void> reserveBuffer();
  Result<void> uploadParents();
  Result<void> reserveTargets();
  Result<const Program*> fillProgram(const PaletteJob& job, bool fades);
  void setFillUniforms(const Program& program) const;
  void runCompute();
  void runFragment();

  PaletteFill fill_;
  const AtlasGpu& atlas_;
  ShaderLibrary& shaders_;
  int jointCount_;
  Extent extent_;
  int capacity_ = 0;  // slots that the storage below has room for
  BufferTexture poses_;
  BufferTexture parents_;
  BufferTexture rows_;               // Compute
  std::array<GlHandle, 3> targets_;  // Fragment
  GlHandle framebuffer_;
  GlHandle emptyArray_;
};

}  // namespace ck::render
