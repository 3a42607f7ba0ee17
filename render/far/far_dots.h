#pragma once

#include "render/far/far_actors.h"
#include "render/gl/shader_library.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// The size of a body at scale 1: the height of its middle, and the side of a square of the area
// that it covers, metres.
struct FarBody {
  double middleMeters = 0.9;
  double sideMeters = 0.8;
};

// Draws far actors as grey, tinted squares, for the time in which their pictures are made
// (ImpostorSet), in passes of the kinds Color, ShadedColor and ActorIds; nothing in others. `width`
// and `height` are those of the viewport, pixels. Fails with Internal (a shader).
Result<void> drawFarDots(ShaderLibrary& shaders, const FarActors& actors, const DrawPass& pass,
                         const FarBody& body, int width, int height);

}  // namespace ck::render
