#include "render/scene/packed_influences.h"

#include <algorithm>
#include <cmath>

namespace ck::render {

std::uint32_t jointOfPacked(float packed) {
  return static_cast<std::uint32_t>(packed);
}

float weightOfPacked(float packed) {
  return (packed - std::floor(packed)) * 2.0f;
}

PackedInfluences packInfluences(std::span<const GpuVertex> vertices) {
  PackedInfluences packed;
  packed.vertices.reserve(vertices.size());
  for (const GpuVertex& vertex : vertices) {
    glm::vec4 influences(0.0f);
    for (int i = 0; i < 4; ++i) {
      const auto at = static_cast<std::size_t>(i);
      influences[i] = static_cast<float>(vertex.skinJoints[at]) + vertex.weights[at] * 0.5f;
      const double lost = static_cast<double>(weightOfPacked(influences[i])) -
                          static_cast<double>(vertex.weights[at]);
      packed.worstWeightError = std::max(packed.worstWeightError, std::abs(lost));
    }
    packed.vertices.push_back(influences);
  }
  return packed;
}

}  // namespace ck::render
