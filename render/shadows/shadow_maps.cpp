#include "render/shadows/shadow_maps.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "render/gl/context.h"
#include "render/gl/framebuffer.h"

namespace ck::render {
namespace {

constexpr GLenum kUnit = GL_TEXTURE0 + static_cast<GLenum>(unit::kShadowMap);
// Depth bias: proportional to the slope, and in steps of the depth.
constexpr float kSlopeOffset = 1.5f;
constexpr float kStepOffset = 2.0f;

}  // namespace

Result<void> ShadowMaps::reserve() {
  if (framebuffer_) return {};
  drainGlErrors();
  texture_ = GlHandle::generate(GlKind::Texture);
  glActiveTexture(kUnit);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.name());
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, kShadowMapTexels, kShadowMapTexels,
               ShadowLook::kMost, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  // Points outside the map are lit.
  const GLfloat light[4] = {1.0f, 1.0f, 1.0f, 1.0f};
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glTexParameterfv(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BORDER_COLOR, light);
  GlHandle framebuffer = GlHandle::generate(GlKind::Framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
  glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture_.name(), 0, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  if (outOfGlMemory() || !complete) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the graphics driver has no memory for {} shadow maps of {} x {} "
                            "texels; choose soft shadows",
                            ShadowLook::kMost, kShadowMapTexels, kShadowMapTexels));
  }
  framebuffer_ = std::move(framebuffer);
  return {};
}

Result<void> ShadowMaps::draw(const ShadowCascades& cascades,
                              const std::function<Result<void>(const DrawPass&)>& cast) {
  const KeptFramebuffer kept;
  if (auto room = reserve(); !room) return room;
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, kShadowMapTexels, kShadowMapTexels);
  glClearDepth(1.0);
  // Casters between the map's box and the light are clamped to the near plane instead of clipped.
  glEnable(GL_DEPTH_CLAMP);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(kSlopeOffset, kStepOffset);
  Result<void> drawn;
  for (int i = 0; i < cascades.look.count && drawn; ++i) {
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture_.name(), 0, i);
    glClear(GL_DEPTH_BUFFER_BIT);
    DrawPass pass{.kind = DrawPass::Kind::Depth};
    pass.look.viewProjection = cascades.toClip[i];
    drawn = cast(pass);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_DEPTH_CLAMP);
  return drawn;
}

void ShadowMaps::bind() const {
  glActiveTexture(kUnit);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.name());
}

}  // namespace ck::render
