#include "tests/support/surface_witness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/anim/pose.h"
#include "core/base/parallel_for.h"
#include "core/skinning/cpu_skinning.h"

namespace ck::test {
namespace {

double squareTo(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b) {
  const glm::dvec3 way = b - a;
  const double length = glm::dot(way, way);
  const double share = length > 0.0 ? std::clamp(glm::dot(p - a, way) / length, 0.0, 1.0) : 0.0;
  const glm::dvec3 apart = p - a - way * share;
  return glm::dot(apart, apart);
}

// Inside of the prism above a triangle the distance is that to its plane, else to an edge.
double squareTo(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b,
                const glm::dvec3& c) {
  const glm::dvec3 normal = glm::cross(b - a, c - a);
  const double size = glm::dot(normal, normal);
  const bool inside = size > 0.0 && glm::dot(glm::cross(b - a, p - a), normal) >= 0.0 &&
                      glm::dot(glm::cross(c - b, p - b), normal) >= 0.0 &&
                      glm::dot(glm::cross(a - c, p - c), normal) >= 0.0;
  if (inside) {
    const double height = glm::dot(p - a, normal);
    return height * height / size;
  }
  return std::min({squareTo(p, a, b), squareTo(p, b, c), squareTo(p, c, a)});
}

double farthest(const Mesh& level, const std::vector<glm::dvec3>& levelAt, const Mesh& whole,
                const std::vector<glm::dvec3>& wholeAt) {
  std::vector<std::uint32_t> used = whole.indices;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  double largest = 0.0;
  for (const std::uint32_t vertex : used) {
    double least = std::numeric_limits<double>::infinity();
    // A vertex that is nearer than the farthest so far does not count.
    for (std::size_t i = 0; i < level.indices.size() && least > largest; i += 3) {
      least =
          std::min(least, squareTo(wholeAt[vertex], levelAt[level.indices[i]],
                                   levelAt[level.indices[i + 1]], levelAt[level.indices[i + 2]]));
    }
    largest = std::max(largest, least);
  }
  return std::sqrt(largest);
}

}  // namespace

double farthestFrom(const Character& level, const Character& whole, int moments) {
  const std::size_t each = static_cast<std::size_t>(moments);
  std::vector<double> largest(whole.clips.size() * each);
  parallelFor(largest.size(), {}, [&](std::size_t index) {
    const Clip& clip = whole.clips[index / each];
    const double share = (static_cast<double>(index % each) + 0.37) / moments;
    const double seconds = clip.startSeconds + share * clip.durationSeconds;
    const std::vector<glm::dmat4> skins = skinMatricesAt(whole.rig, clip, seconds);
    for (std::size_t m = 0; m < whole.meshes.size(); ++m) {
      const Mesh& mesh = whole.meshes[m];
      const auto at =
          skinMesh(mesh, skins, {.influenceLimit = 4, .morphWeights = mesh.defaultMorphWeights});
      const auto levelAt = skinMesh(level.meshes[m], skins, {.influenceLimit = 4});
      largest[index] = std::max(largest[index],
                                farthest(level.meshes[m], levelAt.positions, mesh, at.positions));
    }
  });
  return largest.empty() ? 0.0 : *std::max_element(largest.begin(), largest.end());
}

}  // namespace ck::test
