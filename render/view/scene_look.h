#pragma once

#include <glm/glm.hpp>

#include "render/gl/program.h"

namespace ck::render {

// What every shader that draws in the world needs to know of one view (shaders/crowd/look.glsl).
struct SceneLook {
  glm::mat4 viewProjection{1.0f};
  glm::vec3 eye{0.0f};
  float fogMeters = 100.0f;         // how far one sees before the air takes over
  float errorScaleMeters = 0.005f;  // the distance that the error view paints hottest
};

// Sets the uniforms of `look`; the program must be in use.
void setLook(const Program& program, const SceneLook& look);

}  // namespace ck::render
