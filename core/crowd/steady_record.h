#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>

#include "core/base/shared_glsl.h"

namespace ck::gpu {

// The shader code for what follows from the time alone, compiled as C++ (shaders/shared/README.md).
using uint = std::uint32_t;
#define CK_FN inline
#include "shaders/shared/steady.glsl"
#undef CK_FN

static_assert(sizeof(CkPlay) == sizeof(CkFrames));

}  // namespace ck::gpu

namespace ck {

// How an actor goes round a circle at one speed: ck_roundCircle() of these and of
// loopPlace(0, time, pace) is its place.
struct SteadyWalk {
  glm::vec3 position{0.0f};  // at time 0
  glm::vec4 rotation{0.0f};  // at time 0
  float radius = 0.0f;       // metres, as Actor::turnRadius
  std::uint64_t pace = 0;    // half turns in a unit of time, as loopPace()
};

// An actor's record as far as it follows from the crowd's time by itself, so that it need not be
// handed on in every tick. Actors that play a clip, in any loop mode, and stand, or walk round
// circles by loops, are so; second clips, commands and other ways to walk are written
// anew in every tick.
struct SteadyRecord {
  gpu::CkPlace place = {};              // now
  std::optional<SteadyWalk> walk = {};  // of an actor that walks round a circle
  glm::ivec4 frames{0};                 // the bits of a CkPlay, or of the CkFrames of now
  bool placeIsSteady = false;           // whether `place`, or `walk` if set, holds at all times
  bool framesAreSteady = false;
};

}  // namespace ck
