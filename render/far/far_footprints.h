#pragma once

#include "render/far/far_actors.h"
#include "render/gl/buffer.h"
#include "render/gl/shader_library.h"
#include "render/scene/scene_look.h"

namespace ck::render {

// The soft shadows of one character's far actors: its footprints (core/view/footprints.h), one
// record per frame of the atlas or one for all, and how dark the shadows are, 0 to 1.
struct FarShadows {
  const BufferTexture& footprints;
  int count = 0;
  float sun = 0.0f;
  float contact = 0.0f;
  float pointPixels = 0.0f;  // up to this height points stand for actors, which cast nothing
  float bodyMeters = 1.8f;   // height of the body at scale 1
};

// Draws soft shadows on the ground as Environment::drawFootprints does, without rings, as one point
// an actor. The ground must be drawn and its depth be in the framebuffer; depth is tested and not
// written. `width` and `height` are those of the viewport, pixels. Fails with Internal (a shader).
Result<void> drawFarFootprints(ShaderLibrary& shaders, const SceneLook& look,
                               const FarShadows& shadows, const FarActors& actors, int width,
                               int height);

}  // namespace ck::render
