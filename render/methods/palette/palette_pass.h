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

// How a palette is computed.
enum class PaletteFill {
  Compute,   // a compute shader writes a buffer, read as buffer texture; OpenGL 4.3
  Fragment,  // a fragment pass writes three float textures, one per row; OpenGL 3.3
};

// Compute if the context supports it, else Fragment.
PaletteFill paletteFillFor(const ContextFacts& facts);

// The source of the matrices: the defines of palette/fill.comp and fill.frag, and a function that
// binds their resources. `bind` is called with the program in use.
struct PaletteSource {
  std::vector<ShaderDefine> defines;
  std::function<void(const Program&)> bind;
};

// The input of a palette pass.
struct PaletteJob {
  ActorRecords poses;      // one per slot
  bool foldWorld = false;  // multiply with each record's transform
  bool roomToGrow = true;  // allocate extra capacity
  // As storage buffer instead of buffer texture; PaletteFill::Compute only.
  bool readAsStorage = false;
};

// Skin matrices of many poses on the GPU, three rows per slot and joint. They lead from model space
// to model space, or to world space with `foldWorld`.
class PalettePass {
 public:
  PalettePass(PaletteFill fill, int jointCount, ShaderLibrary& shaders);

  // Fails with LimitExceeded, which says how many poses fit, and Internal (a shader).
  Result<void> run(const PaletteJob& job, const PaletteSource& source);

  // Binds the palette for a program that includes crowd/palette_pose.glsl and is in use.
  void bind(const Program& program) const;
  // Binds the poses of the last run() as `ckPoses`.
  void bindPoses() const;
  // Reads back the rows of the last run(), slot-major, three per joint. Waits for the GPU.
  void read(std::vector<glm::vec4>& rows);
  // Whether programs read the palette as storage buffer, as the last job requested.
  bool readsStorage() const { return readsStorage_; }

  PaletteFill fill() const { return fill_; }
  std::size_t sizeBytes() const;
  std::size_t uploadedBytes() const { return poses_.sizeBytes() + frames_.sizeBytes(); }

 private:
  struct Extent {
    int slots = 0;
    int rows = 0;     // slots below one another, for Fragment
    int columns = 0;  // column blocks side by side, for Fragment
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
  int capacity_ = 0;  // allocated slots
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
