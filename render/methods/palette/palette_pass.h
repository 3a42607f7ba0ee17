#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "core/crowd/actor_records.h"
#include "render/gl/buffer.h"
#include "render/gl/context.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// How a palette is filled.
enum class PaletteFill {
  Compute,   // a compute shader into a buffer, read as a buffer texture; OpenGL 4.3
  Fragment,  // a pass into three float targets, one per row, read as textures; OpenGL 3.3
};

// The way that the context can go: Compute where it has it.
PaletteFill paletteFillFor(const ContextFacts& facts);

// Where the matrices come from: what palette/fill.comp and fill.frag are compiled with, and what
// they read. `bind` is called with the program in use.
struct PaletteSource {
  std::vector<ShaderDefine> defines;
  std::function<void(const Program&)> bind;
};

// What to fill a palette with.
struct PaletteJob {
  ActorRecords poses;          // one per slot
  bool foldWorld = false;      // multiply each pose's own transform in
  bool roomToGrow = true;      // take more room than is needed now
  bool readAsStorage = false;  // instead of through a texture; PaletteFill::Compute
};

// Skin matrices of many poses on the GPU, three rows per slot and joint: model space to model
// space, or to world space where the transform is folded in.
class PalettePass {
 public:
  PalettePass(PaletteFill fill, int jointCount, ShaderLibrary& shaders);

  // Fails with LimitExceeded, which says how many poses fit, and Internal (a shader).
  Result<void> run(const PaletteJob& job, const PaletteSource& source);

  // Binds the palette for a program that reads it (crowd/palette_pose.glsl) and is in use.
  void bind(const Program& program) const;
  // Binds the poses that the last run() was given, as `ckPoses`.
  void bindPoses() const;
  // The rows that the last run() made, slot by slot, three per joint; waits for the GPU.
  void read(std::vector<glm::vec4>& rows);
  // Whether such a program reads it as a storage buffer, as the last job asked.
  bool readsStorage() const { return readsStorage_; }

  PaletteFill fill() const { return fill_; }
  std::size_t sizeBytes() const;
  std::size_t uploadedBytes() const { return poses_.sizeBytes() + frames_.sizeBytes(); }

 private:
  struct Extent {
    int slots = 0;
    int rows = 0;     // slots below one another, for Fragment
    int columns = 0;  // of joints side by side
  };
  Result<void> reserve(std::size_t slots, bool roomToGrow);
  Result<void> reserveBuffer();
  Result<void> reserveTargets();
  Result<void> uploadPoses(const ActorRecords& poses);
  Result<const Program*> fillProgram(const PaletteJob& job, const PaletteSource& source);
  void readTargets(std::vector<glm::vec4>& rows);
  void runCompute();
  void runFragment();

  PaletteFill fill_;
  ShaderLibrary& shaders_;
  int jointCount_;
  Extent extent_;
  bool readsStorage_ = false;
  int capacity_ = 0;  // slots that the storage below has room for
  BufferTexture poses_;
  BufferTexture frames_;
  std::vector<glm::vec4> numbersOfPoses_;
  std::vector<glm::ivec4> framesOfPoses_;
  BufferTexture rows_;               // Compute
  std::array<GlHandle, 3> targets_;  // Fragment
  GlHandle framebuffer_;
  GlHandle emptyArray_;
};

}  // namespace ck::render
