#include "render/view/blend_layers.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "render/gl/context.h"

namespace ck::render {
namespace {

constexpr GLenum kSumUnit = GL_TEXTURE0 + static_cast<GLenum>(unit::kBlendSum);
constexpr GLenum kWeightUnit = GL_TEXTURE0 + static_cast<GLenum>(unit::kBlendWeight);

// The weights span many octaves, so halves would not hold their sums.
GlHandle layer(GLenum textureUnit, GLint format, int width, int height) {
  GlHandle texture = GlHandle::generate(GlKind::Texture);
  glActiveTexture(textureUnit);
  glBindTexture(GL_TEXTURE_2D, texture.name());
  glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, format == GL_R32F ? GL_RED : GL_RGBA,
               GL_FLOAT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glBindTexture(GL_TEXTURE_2D, 0);
  return texture;
}

}  // namespace

Result<void> BlendLayers::reserve(int width, int height) {
  if (solid_ && solid_->width() == width && solid_->height() == height) return {};
  const KeptFramebuffer kept;
  solid_.reset();
  auto solid = Target::make(width, height, TargetFormat::Rgba8);
  if (!solid) return tl::unexpected(solid.error());
  drainGlErrors();
  sum_ = layer(kSumUnit, GL_RGBA32F, width, height);
  weight_ = layer(kWeightUnit, GL_R32F, width, height);
  glActiveTexture(GL_TEXTURE0);
  framebuffer_ = GlHandle::generate(GlKind::Framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, sum_.name(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, weight_.name(), 0);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                            solid->depthName());
  const GLenum targets[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, targets);
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  if (outOfGlMemory() || !complete) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the graphics driver has no memory for the layers of a picture of {} x "
                            "{} pixels with transparent surfaces",
                            width, height));
  }
  if (!emptyArray_) emptyArray_ = GlHandle::generate(GlKind::VertexArray);
  solid_ = std::move(*solid);
  return {};
}

void BlendLayers::begin() {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  const GLfloat nothing[4] = {0.0f, 0.0f, 0.0f, 1.0f};
  glClearBufferfv(GL_COLOR, 0, nothing);
  glClearBufferfv(GL_COLOR, 1, nothing);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  // Sums, and in alpha the product of what each surface leaves uncovered.
  glBlendFuncSeparate(GL_ONE, GL_ONE, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
}

Result<void> BlendLayers::finish(unsigned framebuffer) {
  glBindFramebuffer(GL_FRAMEBUFFER, solid_->name());
  auto program = shaders_.program({"scene/blend.vert", "scene/blend.frag", {}, {}});
  if (program) {
    glActiveTexture(kSumUnit);
    glBindTexture(GL_TEXTURE_2D, sum_.name());
    glActiveTexture(kWeightUnit);
    glBindTexture(GL_TEXTURE_2D, weight_.name());
    glDisable(GL_DEPTH_TEST);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    glBindVertexArray(emptyArray_.name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_DEPTH_TEST);
    for (const GLenum textureUnit : {kSumUnit, kWeightUnit}) {
      glActiveTexture(textureUnit);
      glBindTexture(GL_TEXTURE_2D, 0);
    }
    glActiveTexture(GL_TEXTURE0);
  }
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, solid_->name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  const int width = solid_->width();
  const int height = solid_->height();
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  if (!program) return tl::unexpected(program.error());
  return {};
}

}  // namespace ck::render
