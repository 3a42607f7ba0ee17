#pragma once

#include <glm/glm.hpp>

#include "core/scene/character.h"
#include "render/scene/camera.h"
#include "render/scene/scene_look.h"

namespace ck::render {

// Texels along an edge of a shadow map.
inline constexpr int kShadowMapTexels = 2048;

// Towards the key light, of length 1 (shaders/crowd/light_direction.glsl).
glm::dvec3 towardsKeyLight();

// What the shadow maps of one view show.
struct ShadowCascades {
  ShadowLook look;                           // for shaders that look places up
  glm::mat4 toClip[ShadowLook::kMost] = {};  // what each map is drawn with
};

// Plans up to `most` maps (1 to ShadowLook::kMost) for everything that casts and that the camera
// can see: the finest for what is near, the last for all of it. A map that would hardly be finer
// than the next is left out. The boxes lie on a grid of their own texels and their sizes change in
// steps, so that shadows neither crawl nor shimmer when the camera or the crowd moves.
// `casters` is a box in world space, metres; nothing is cast where none of it lies before the
// camera.
ShadowCascades planCascades(const Camera& camera, double aspect, const Bounds& casters,
                            int most = ShadowLook::kMost);

}  // namespace ck::render
