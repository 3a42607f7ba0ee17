#pragma once

#include <glm/glm.hpp>
#include <optional>

#include "render/gl/program.h"
#include "render/scene/camera.h"

namespace ck::render {

// The cascades of the shadow map, finest first (shadow.glsl).
struct ShadowLook {
  static constexpr int kMost = 3;
  int count = 0;                // 0: no shadows
  glm::mat4 fromWorld{1.0f};    // world to metres across the light, and depth in [0, 1]
  glm::vec4 boxes[kMost] = {};  // scale and offset from these metres to [0, 1]
  float texelMeters[kMost] = {};
};

// The parameters of one view that all shaders share (shaders/crowd/look.glsl).
struct SceneLook {
  glm::mat4 viewProjection{1.0f};
  glm::vec3 eye{0.0f};
  std::optional<glm::vec3> towardsEye = {};  // where it is the same for all places: orthographic
  float focusMeters = 10.0f;                 // from the eye to what is looked at
  float fogMeters = 100.0f;                  // distance at which fog hides the scene
  float errorScaleMeters = 0.005f;  // the distance that the error view shows in its last colour
  float motionScaleMeters = 0.05f;  // the distance per tick that the motion view shows brightest
  float aspect = 1.0f;              // width / height
  ShadowLook shadows;
};

// The look of a view through a camera, without shadows and with the usual scales of views.
SceneLook lookOf(const Camera& camera, double aspect);

// Sets the uniforms of `look`. The program must be in use.
void setLook(const Program& program, const SceneLook& look);

}  // namespace ck::render
