#include "core/scene/mesh.h"

#include <algorithm>

namespace ck {

std::span<const Influence> influencesOf(const Mesh& mesh, std::size_t vertex) {
  const std::uint32_t first = mesh.influenceStarts[vertex];
  const std::uint32_t last = mesh.influenceStarts[vertex + 1];
  return std::span(mesh.influences).subspan(first, last - first);
}

int maxInfluences(const Mesh& mesh) {
  std::uint32_t most = 0;
  for (std::size_t v = 0; v + 1 < mesh.influenceStarts.size(); ++v) {
    most = std::max(most, mesh.influenceStarts[v + 1] - mesh.influenceStarts[v]);
  }
  return static_cast<int>(most);
}

LimitedInfluences limitInfluences(std::span<const Influence> influences, int limit) {
  LimitedInfluences result;
  const std::size_t kept =
      std::min({influences.size(), static_cast<std::size_t>(limit), std::size_t{4}});
  float sum = 0.0f;
  for (std::size_t i = 0; i < kept; ++i) sum += influences[i].weight;
  if (sum <= 0.0f) return result;
  for (std::size_t i = 0; i < kept; ++i) {
    result.skinJoints[i] = influences[i].skinJoint;
    result.weights[i] = influences[i].weight / sum;
  }
  return result;
}

}  // namespace ck
