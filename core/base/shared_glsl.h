#pragma once

#include <cmath>
#include <glm/glm.hpp>

// The shader code that CPU and GPU share (shaders/shared/README.md), compiled as C++. Addressing,
// decoding and actor records are so defined once for both.
namespace ck::gpu {

using glm::abs;
using glm::clamp;
using glm::cross;
using glm::dot;
using glm::floor;
using glm::ivec2;
using glm::ivec4;
using glm::max;
using glm::min;
using glm::normalize;
using glm::sqrt;
using glm::vec3;
using glm::vec4;

inline float roundEven(float x) {
  return std::nearbyint(x);
}

#define CK_FN inline
// The order matters: each file may use the files before it.
// clang-format off
#include "shaders/shared/actor.glsl"
#include "shaders/shared/atlas_address.glsl"
#include "shaders/shared/playback.glsl"
#include "shaders/shared/quaternion.glsl"
#include "shaders/shared/pose.glsl"
#include "shaders/shared/matrix_pose.glsl"
#include "shaders/shared/packed.glsl"
#include "shaders/shared/dual_pose.glsl"
#include "shaders/shared/morph.glsl"
// clang-format on
#undef CK_FN

static_assert(sizeof(CkPlace) == 44);
static_assert(sizeof(CkFrames) == 16);
static_assert(sizeof(CkActor) == 64);

}  // namespace ck::gpu
