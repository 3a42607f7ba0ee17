#include "render/reference/triangle_limit.h"

#include <epoxy/gl.h>

#include "render/gl/context.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {

Result<std::unique_ptr<TriangleLimit>> TriangleLimit::make(CharacterPtr character) {
  resetGlState();
  auto uploaded = uploadCharacter(std::move(character));
  if (!uploaded) return tl::unexpected(uploaded.error());
  std::unique_ptr<TriangleLimit> limit(new TriangleLimit);
  limit->character_ = std::move(*uploaded);
  limit->vertexArray_ = makeActorVertexArray(limit->character_, &limit->actors_);
  return limit;
}

Result<void> TriangleLimit::drawAndFinish(const Crowd& crowd, const Camera& camera, int width,
                                          int height, bool vertexStageOnly) {
  const KeptFramebuffer kept;
  if (!target_ || target_->width() != width || target_->height() != height) {
    auto made = Target::make(width, height, TargetFormat::Rgba8);
    if (!made) return tl::unexpected(made.error());
    target_ = std::move(*made);
  }
  resetGlState();
  if (auto stored = actors_.upload(crowd.instances(), {}); !stored) return stored;
  glBindFramebuffer(GL_FRAMEBUFFER, target_->name());
  glViewport(0, 0, width, height);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  DrawPass pass;
  pass.vertexStageOnly = vertexStageOnly;
  const double aspect = static_cast<double>(width) / static_cast<double>(height);
  pass.look.viewProjection = projectionMatrix(camera, aspect) * viewMatrix(camera);
  pass.look.eye = glm::vec3(eyeOf(camera));
  const auto program =
      programFor(shaders_, {.file = "reference/still_pose.glsl"}, pass, character_);
  if (!program) return tl::unexpected(program.error());
  ActorPass(**program, vertexArray_, character_, actors_, pass).draw(actors_.size());
  glFinish();
  return {};
}

}  // namespace ck::render
