#include "render/scene/surface_measures.h"

#include <algorithm>
#include <cmath>

namespace ck::render {
namespace {

// The sine for every corner of every triangle, as described at medianTurn.
std::vector<float> turnsOf(const WeldedCharacter& welded) {
  std::vector<float> sines;
  sines.reserve(welded.indices.size());
  for (std::size_t t = 0; t + 2 < welded.indices.size(); t += 3) {
    const GpuVertex* corners[3];
    for (std::size_t i = 0; i < 3; ++i) corners[i] = &welded.vertices[welded.indices[t + i]];
    const glm::vec3 facet = glm::cross(corners[1]->position - corners[0]->position,
                                       corners[2]->position - corners[0]->position);
    const float area = glm::length(facet);
    if (area <= 0.0f) continue;
    for (const GpuVertex* corner : corners) {
      const glm::vec3 normal(corner->normal[0], corner->normal[1], corner->normal[2]);
      const float cosine = glm::dot(facet, normal) / (area * std::max(glm::length(normal), 1.0f));
      sines.push_back(cosine <= 0.0f ? 1.0f : std::sqrt(std::max(1.0f - cosine * cosine, 0.0f)));
    }
  }
  return sines;
}

float edgeOfMost(const WeldedCharacter& welded) {
  struct Triangle {
    float edge;
    float area;
  };
  std::vector<Triangle> triangles;
  double whole = 0.0;
  for (std::size_t t = 0; t + 2 < welded.indices.size(); t += 3) {
    glm::vec3 sides[3];
    float edge = 0.0f;
    for (std::size_t i = 0; i < 3; ++i) {
      sides[i] = welded.vertices[welded.indices[t + (i + 1) % 3]].position -
                 welded.vertices[welded.indices[t + i]].position;
      edge = std::max(edge, glm::length(sides[i]));
    }
    triangles.push_back({edge, glm::length(glm::cross(sides[0], sides[1]))});
    whole += static_cast<double>(triangles.back().area);
  }
  std::sort(triangles.begin(), triangles.end(),
            [](const Triangle& a, const Triangle& b) { return a.edge < b.edge; });
  double passed = 0.0;
  for (const Triangle& triangle : triangles) {
    passed += static_cast<double>(triangle.area);
    if (passed >= 0.9 * whole) return triangle.edge;
  }
  return 0.0f;
}

}  // namespace

SurfaceMeasures measureSurface(const WeldedCharacter& welded) {
  SurfaceMeasures measures;
  measures.edgeMeters = edgeOfMost(welded);
  std::vector<float> sines = turnsOf(welded);
  if (sines.empty()) return measures;
  const auto at = [&sines](std::size_t place) {
    const auto found = sines.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(sines.begin(), found, sines.end());
    return *found;
  };
  measures.medianTurn = at(sines.size() / 2);
  measures.largestTurn = at(sines.size() * 49 / 50);
  return measures;
}

}  // namespace ck::render
