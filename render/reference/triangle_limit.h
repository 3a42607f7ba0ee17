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

// Draws the triangles of a crowd with a vertex shader that only places the bind pose at the actor:
// the upper limit for all methods on this machine. For benches. Owns GL objects; every call needs
// the context in which it was made.
class TriangleLimit {
 public:
  // Fails like CrowdRenderer::setCharacter().
  static Result<std::unique_ptr<TriangleLimit>> make(CharacterPtr character);

  // Uploads the actors, draws to an internal texture without ground and sky, and waits for the
  // driver. With `vertexStageOnly` rasterisation is off.
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
