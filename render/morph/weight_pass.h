#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "core/crowd/morph_rows.h"
#include "render/gl/buffer.h"
#include "render/gl/framebuffer.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// An actor whose row of weights is wanted, two texels.
struct NearActor {
  glm::ivec4 frames{0};  // frame A; frame B or -1; its first own weight, and how many
  glm::ivec4 shares{0};  // the bits of alpha A, alpha B and the blend of B over A; nothing
};
NearActor nearActor(const gpu::CkActor& record, const glm::ivec2& own);

// Makes the rows of MorphRows on the GPU, by transform feedback: what is baked lies there once, and
// a tick only names the moments that actors are at.
class WeightPass {
 public:
  // What is baked, and what actors have of their own: what does not change while the crowd plays.
  // Both are to be set before the first run. Fail with LimitExceeded.
  Result<void> setFrames(const MorphRows& rows);
  Result<void> setOwn(const MorphRows& rows);

  // Writes one row for each actor. Fails with LimitExceeded and Internal (a shader).
  Result<void> run(std::span<const NearActor> actors, ShaderLibrary& shaders);

  // Four numbers a texel, `rowTexels` texels an actor.
  void bindRows(int unit) const { rows_.bind(unit); }
  std::size_t heldBytes() const;
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last run

 private:
  int rowTexels_ = 0;
  int frameTexels_ = 0;
  int frameCount_ = 0;
  BufferTexture frames_;
  BufferTexture own_;
  BufferTexture actors_{TexelKind::Rgba32I};
  BufferTexture rows_;
  std::size_t uploadedBytes_ = 0;
  GlHandle emptyArray_;
  std::optional<Target> nowhere_;  // drawing into nothing still takes a framebuffer
};

}  // namespace ck::render
