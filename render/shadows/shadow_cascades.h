#pragma once

#include <glm/glm.hpp>

#include "core/scene/character.h"
#include "render/scene/camera.h"
#include "render/scene/scene_look.h"

namespace ck::render {

// Width and height of a shadow map in texels.
inline constexpr int kShadowMapTexels = 2048;

// Unit vector towards the key light (shaders/crowd/light_direction.glsl).
glm::dvec3 towardsKeyLight();

// The shadow maps of one view.
struct ShadowCascades {
  ShadowLook look;                           // parameters for shaders that read the maps
  glm::mat4 toClip[ShadowLook::kMost] = {};  // world to clip space of each map
};

// Plans up to `most` maps (1 to ShadowLook::kMost) for all shadow casters that the camera can see.
// The first map is the finest and covers the nearest part; the last covers everything. A map that
// is hardly finer than the next one is left out. The maps are aligned to their own texels and their
// sizes change in steps, so that shadow edges do not move with the camera or the crowd
// (docs/techniques.md 4.7). `casters` is a box in world space, in metres. There are no maps if it
// is behind the camera.
ShadowCascades planCascades(const Camera& camera, double aspect, const Bounds& casters,
                            int most = ShadowLook::kMost);

}  // namespace ck::render
