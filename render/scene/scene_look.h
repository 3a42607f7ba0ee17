#pragma once

#include <glm/glm.hpp>

#include "render/gl/program.h"

namespace ck::render {

// The cascades of shadow maps that a place is looked up in, the finest first (shadow.glsl).
struct ShadowLook {
  static constexpr int kMost = 3;
  int count = 0;                // 0: nothing is cast
  glm::mat4 fromWorld{1.0f};    // to metres across the light and depth in [0, 1]
  glm::vec4 boxes[kMost] = {};  // scale and offset from these metres to [0, 1]
  float texelMeters[kMost] = {};
};

// What every shader that draws in the world needs to know of one view (shaders/crowd/look.glsl).
struct SceneLook {
  glm::mat4 viewProjection{1.0f};
  glm::vec3 eye{0.0f};
  float fogMeters = 100.0f;         // how far one sees before the air takes over
  float errorScaleMeters = 0.005f;  // the distance that the error view paints hottest
  float motionScaleMeters = 0.05f;  // the way in a tick that the motion view paints brightest
  float aspect = 1.0f;              // width / height
  ShadowLook shadows;
};

// Sets the uniforms of `look`; the program must be in use.
void setLook(const Program& program, const SceneLook& look);

}  // namespace ck::render
