#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render/scene/welded_character.h"

namespace ck::render {

// Influences of vertices as one float each: skin joint index + weight / 2. A vertex so has 16 bytes
// instead of 24. The precision of the weight is what the index leaves of a float's 24 bits.
struct PackedInfluences {
  std::vector<glm::vec4> vertices;
  double worstWeightError = 0.0;  // largest absolute error of a weight
};
PackedInfluences packInfluences(std::span<const GpuVertex> vertices);

// The same decoding as in the vertex shader.
std::uint32_t jointOfPacked(float packed);
float weightOfPacked(float packed);

}  // namespace ck::render
