#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render/scene/welded_character.h"

namespace ck::render {

// The influences of vertices as one float each: the number of the skin joint plus half of the
// weight, so 16 bytes a vertex instead of 24. What is left for the weight is what the number leaves
// of a float's 24 bits.
struct PackedInfluences {
  std::vector<glm::vec4> vertices;
  double worstWeightError = 0.0;  // what any weight loses, of 1
};
PackedInfluences packInfluences(std::span<const GpuVertex> vertices);

// As the vertex shader takes it apart.
std::uint32_t jointOfPacked(float packed);
float weightOfPacked(float packed);

}  // namespace ck::render
