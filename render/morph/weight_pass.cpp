#include "render/morph/weight_pass.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <bit>

namespace ck::render {
namespace {

// A texture needs at least one texel.
std::span<const glm::vec4> orNothing(std::span<const glm::vec4> texels) {
  static constexpr glm::vec4 kNothing[] = {glm::vec4(0.0f)};
  return texels.empty() ? std::span<const glm::vec4>(kNothing) : texels;
}

}  // namespace

NearActor nearActor(const gpu::CkActor& record, const glm::ivec2& own) {
  const auto bits = [](float value) { return std::bit_cast<std::int32_t>(value); };
  const float blend = gpu::ck_lookBlend(record.look);
  const int second = blend > 0.0f ? record.frames.y : -1;
  return {{record.frames.x, second, own.x, own.y},
          {bits(record.positionAlphaA.w), bits(record.scaleAlphaB.w), bits(blend), 0}};
}

Result<void> WeightPass::setFrames(const MorphRows& rows) {
  frameTexels_ = rows.frameTexels();
  frameCount_ = frameTexels_ == 0 ? 0 : static_cast<int>(rows.frames().size()) / frameTexels_;
  return frames_.upload(orNothing(rows.frames()), BufferUse::Static, "the baked morph weights");
}

Result<void> WeightPass::setOwn(const MorphRows& rows) {
  rowTexels_ = rows.texels();
  return own_.upload(orNothing(rows.own()), BufferUse::Static, "the actors' own morph weights");
}

Result<void> WeightPass::run(std::span<const NearActor> actors, ShaderLibrary& shaders) {
  uploadedBytes_ = 0;
  const auto texels = actors.size() * static_cast<std::size_t>(rowTexels_);
  if (rows_.sizeBytes() < std::max<std::size_t>(texels, 1) * sizeof(glm::vec4)) {
    auto room = rows_.allocate(std::max<std::size_t>(texels, 1) * sizeof(glm::vec4),
                               "the morph weights of near actors");
    if (!room) return room;
  }
  if (texels == 0) return {};
  auto stored = actors_.upload(actors, BufferUse::Stream, "the moments of near actors");
  if (!stored) return stored;
  uploadedBytes_ = actors_.sizeBytes();
  if (!nowhere_) {
    auto target = Target::make(1, 1, TargetFormat::Rgba8);
    if (!target) return tl::unexpected(target.error());
    nowhere_ = std::move(*target);
    emptyArray_ = GlHandle::generate(GlKind::VertexArray);
  }
  auto found = shaders.program(
      {.vertex = "morph/weights.vert", .fragment = "", .defines = {}, .feedback = {"vWeights"}});
  if (!found) return tl::unexpected(found.error());
  const Program& program = **found;
  program.set("ckMorphRowTexels", rowTexels_);
  program.set("ckFrameTexels", frameTexels_);
  program.set("ckFrameCount", frameCount_);
  actors_.bind(unit::kMorphSlots);
  frames_.bind(unit::kMorphVertices);
  own_.bind(unit::kMorphEntries);
  const KeptFramebuffer kept;
  glBindFramebuffer(GL_FRAMEBUFFER, nowhere_->name());
  glBindVertexArray(emptyArray_.name());
  glEnable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, rows_.name());
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(texels));
  glEndTransformFeedback();
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glDisable(GL_RASTERIZER_DISCARD);
  glBindVertexArray(0);
  return {};
}

std::size_t WeightPass::heldBytes() const {
  return frames_.sizeBytes() + own_.sizeBytes() + actors_.sizeBytes() + rows_.sizeBytes();
}

}  // namespace ck::render
