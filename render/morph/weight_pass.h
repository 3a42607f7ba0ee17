#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "core/crowd/morph_rows.h"
#include "render/gl/buffer.h"
#include "render/gl/framebuffer.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// An actor whose row of weights is computed; two texels.
struct NearActor {
  // Frame A; frame B or -1; index of its first own weight; number of own weights.
  glm::ivec4 frames{0};
  glm::ivec4 shares{0};  // bits of alpha A, alpha B and the blend of B over A; unused
};
NearActor nearActor(const gpu::CkActor& record, const glm::ivec2& own);

// Computes the rows of MorphRows on the GPU by transform feedback. The baked weights are uploaded
// once; a tick uploads only the actors' frames.
class WeightPass {
 public:
  // Uploads the baked weights and the actors' own weights, which are constant while the crowd
  // plays. Both calls are required before the first run(). They fail with LimitExceeded.
  Result<void> setFrames(const MorphRows& rows);
  Result<void> setOwn(const MorphRows& rows);

  // Writes one row per actor. Fails with LimitExceeded and Internal (a shader).
  Result<void> run(std::span<const NearActor> actors, ShaderLibrary& shaders);

  // Binds the rows: four weights per texel, `rowTexels` texels per actor.
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
  // Transform feedback needs a framebuffer, even without rasterisation.
  std::optional<Target> nowhere_;
};

}  // namespace ck::render
