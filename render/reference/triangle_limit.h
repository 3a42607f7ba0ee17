#pragma once

#include <memory>
#include <optional>

#include "core/crowd/crowd.h"
#include "core/scene/character.h"
#include "render/gl/framebuffer.h"
#include "render/gl/shader_library.h"
#include "render/scene/camera.h"
#include "render/scene/character_gpu.h"
#include "render/skinning/actor_stream.h"

namespace ck::render {

// Draws the triangles of a crowd with a vertex shader that does nothing but put the bind pose where
// the actor is: the limit that no method can pass on this machine. For benches. Owns GL objects;
// the context that it was made with must be current in every call.
class TriangleLimit {
 public:
  // Fails as CrowdRenderer::setCharacter() does.
  static Result<std::unique_ptr<TriangleLimit>> make(CharacterPtr character);

  // Uploads the actors, draws into a texture that is kept and waits until the driver is done,
  // without ground and sky. With `vertexStageOnly` the rasteriser is off.
  Result<void> drawAndFinish(const Crowd& crowd, const Camera& camera, int width, int height,
                             bool vertexStageOnly);

 private:
  TriangleLimit() = default;

  CharacterGpu character_;
  ActorStream actors_;
  ShaderLibrary shaders_;
  GlHandle vertexArray_;
  std::optional<Target> target_;
};

}  // namespace ck::render
