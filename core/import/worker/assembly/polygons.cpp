#include "core/import/worker/assembly/polygons.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>

#include "core/import/worker/assembly/shape_normals.h"

namespace ck::worker {
namespace {

// Twice the area vector of a polygon (M. Newell).
glm::dvec3 areaOf(const std::vector<glm::dvec3>& points) {
  glm::dvec3 area(0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    area += glm::cross(points[i], points[(i + 1) % points.size()]);
  }
  return area;
}

bool isInside(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c,
              const glm::dvec3& up) {
  const auto side = [&](const glm::dvec3& from, const glm::dvec3& to) {
    return glm::dot(glm::cross(to - from, p - from), up);
  };
  return side(a, b) >= 0.0 && side(b, c) >= 0.0 && side(c, a) >= 0.0;
}

template <int Count>
bool sameBits(const glm::vec<Count, float>& a, const glm::vec<Count, float>& b) {
  using Bits = std::array<std::uint32_t, Count>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

// Makes vertices of corners: those of one control point with the same attributes, to the bit, are
// one vertex.
class Welder {
 public:
  explicit Welder(const Polygons& polygons)
      : polygons_(polygons), firstOfPoint_(polygons.points.size(), kNone) {}

  // The part that consists of these polygons. `first` and `second`: into Polygons::uvs, or -1.
  MeshPart make(const std::vector<std::uint32_t>& polygons, int first, int second) {
    MeshPart part;
    const auto uvs = [this](int set) {
      return set < 0 ? kNoUvs : std::span(polygons_.uvs[static_cast<std::size_t>(set)]);
    };
    uvs_ = uvs(first);
    secondUvs_ = uvs(second);
    nextOfPoint_.clear();
    std::size_t triangleCount = 0;
    for (const std::uint32_t p : polygons) {
      triangleCount += polygons_.starts[p + 1] - polygons_.starts[p] - 2;
    }
    part.mesh.indices.reserve(3 * triangleCount);
    for (const std::uint32_t p : polygons) {
      for (const std::uint32_t corner : cutter_.trianglesOf(polygons_, p)) {
        part.mesh.indices.push_back(vertexOf(polygons_.starts[p] + corner, part));
      }
    }
    for (const std::uint32_t point : part.points) firstOfPoint_[point] = kNone;
    return part;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr int kMostCompared = 1'000;  // beyond it, equal corners may be two vertices

  std::uint32_t vertexOf(std::size_t corner, MeshPart& part) {
    const std::uint32_t point = polygons_.corners[corner];
    int others = 0;
    for (std::uint32_t known = firstOfPoint_[point]; known != kNone && others < kMostCompared;
         known = nextOfPoint_[known], ++others) {
      if (isSame(corner, part.mesh, known)) return known;
    }
    const auto vertex = static_cast<std::uint32_t>(part.points.size());
    nextOfPoint_.push_back(firstOfPoint_[point]);
    firstOfPoint_[point] = vertex;
    part.points.push_back(point);
    part.mesh.positions.push_back(glm::vec3(polygons_.points[point]));
    if (!polygons_.normals.empty()) part.mesh.normals.push_back(polygons_.normals[corner]);
    if (!polygons_.tangents.empty()) part.mesh.tangents.push_back(polygons_.tangents[corner]);
    if (!uvs_.empty()) part.mesh.uvs.push_back(uvs_[corner]);
    if (!secondUvs_.empty()) part.mesh.secondUvs.push_back(secondUvs_[corner]);
    if (!polygons_.colors.empty()) part.mesh.colors.push_back(polygons_.colors[corner]);
    return vertex;
  }

  bool isSame(std::size_t corner, const Mesh& mesh, std::uint32_t vertex) const {
    return (polygons_.normals.empty() ||
            sameBits(polygons_.normals[corner], mesh.normals[vertex])) &&
           (uvs_.empty() || sameBits(uvs_[corner], mesh.uvs[vertex])) &&
           (secondUvs_.empty() || sameBits(secondUvs_[corner], mesh.secondUvs[vertex])) &&
           (polygons_.colors.empty() || sameBits(polygons_.colors[corner], mesh.colors[vertex])) &&
           (polygons_.tangents.empty() ||
            sameBits(polygons_.tangents[corner], mesh.tangents[vertex]));
  }

  using Uvs = std::span<const glm::vec2>;
  static constexpr Uvs kNoUvs = {};

  const Polygons& polygons_;
  Uvs uvs_;  // of the part, by corner
  Uvs secondUvs_;
  PolygonCutter cutter_;
  std::vector<std::uint32_t> firstOfPoint_;  // vertices of the part, by control point
  std::vector<std::uint32_t> nextOfPoint_;   // by vertex: the next one of the same point
};

}  // namespace

const std::vector<std::uint32_t>& PolygonCutter::trianglesOf(const Polygons& mesh,
                                                             std::size_t polygon) {
  const std::uint32_t first = mesh.starts[polygon];
  const std::uint32_t count = mesh.starts[polygon + 1] - first;
  points_.clear();
  for (std::uint32_t i = 0; i < count; ++i) points_.push_back(mesh.points[mesh.corners[first + i]]);
  triangles_.clear();
  const glm::dvec3 up = areaOf(points_);
  bool convex = true;
  for (std::size_t i = 0; i < count && convex; ++i) {
    const glm::dvec3& a = points_[i == 0 ? count - 1 : i - 1];
    const glm::dvec3& c = points_[i + 1 == count ? 0 : i + 1];
    convex = glm::dot(glm::cross(points_[i] - a, c - points_[i]), up) >= 0.0;
  }
  // Beyond this, cutting ears one by one takes too long; such polygons are caps, which are convex.
  constexpr std::uint32_t kMostForEars = 1'000;
  if (convex || count > kMostForEars) {
    for (std::uint32_t i = 1; i + 1 < count; ++i) {
      triangles_.insert(triangles_.end(), {0, i, i + 1});
    }
  } else {
    cutEars(up);
  }
  return triangles_;
}

void PolygonCutter::cutEars(const glm::dvec3& up) {
  left_.resize(points_.size());
  std::iota(left_.begin(), left_.end(), 0u);
  const auto turn = [&](std::size_t at) {
    const auto& a = points_[left_[(at + left_.size() - 1) % left_.size()]];
    const auto& b = points_[left_[at]];
    const auto& c = points_[left_[(at + 1) % left_.size()]];
    return glm::dot(glm::cross(b - a, c - b), up);
  };
  while (left_.size() > 3) {
    std::size_t ear = 0;
    for (std::size_t at = 0; at < left_.size(); ++at) {
      if (!(turn(at) > 0.0)) continue;
      const std::uint32_t a = left_[(at + left_.size() - 1) % left_.size()];
      const std::uint32_t c = left_[(at + 1) % left_.size()];
      const bool empty = std::none_of(left_.begin(), left_.end(), [&](std::uint32_t other) {
        return other != a && other != left_[at] && other != c &&
               isInside(points_[other], points_[a], points_[left_[at]], points_[c], up);
      });
      if (empty) {
        ear = at;
        break;
      }
    }
    triangles_.insert(triangles_.end(), {left_[(ear + left_.size() - 1) % left_.size()], left_[ear],
                                         left_[(ear + 1) % left_.size()]});
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  triangles_.insert(triangles_.end(), {left_[0], left_[1], left_[2]});
}

std::map<int, MeshPart> splitByMaterial(const Polygons& polygons,
                                        const std::function<std::pair<int, int>(int)>& uvSets) {
  std::map<int, std::vector<std::uint32_t>> polygonsOf;
  for (std::size_t p = 0; p + 1 < polygons.starts.size(); ++p) {
    polygonsOf[polygons.materials[p]].push_back(static_cast<std::uint32_t>(p));
  }
  Welder welder(polygons);
  std::map<int, MeshPart> parts;
  for (const auto& [material, own] : polygonsOf) {
    const auto [first, second] = uvSets(material);
    parts.emplace(material, welder.make(own, first, second));
  }
  return parts;
}

void computeNormals(std::map<int, MeshPart>& parts) {
  Mesh joined;
  for (const auto& [material, part] : parts) {
    const auto first = static_cast<std::uint32_t>(joined.positions.size());
    joined.positions.insert(joined.positions.end(), part.mesh.positions.begin(),
                            part.mesh.positions.end());
    for (const std::uint32_t index : part.mesh.indices) joined.indices.push_back(first + index);
  }
  computeNormals(joined);
  auto next = joined.normals.begin();
  for (auto& [material, part] : parts) {
    const auto count = static_cast<std::ptrdiff_t>(part.mesh.positions.size());
    part.mesh.normals.assign(next, next + count);
    next += count;
  }
}

void addInfluences(const std::vector<std::uint32_t>& starts,
                   const std::vector<Influence>& influences, MeshPart& part) {
  part.mesh.influenceStarts = {0};
  for (const std::uint32_t point : part.points) {
    part.mesh.influences.insert(part.mesh.influences.end(), influences.begin() + starts[point],
                                influences.begin() + starts[point + 1]);
    part.mesh.influenceStarts.push_back(static_cast<std::uint32_t>(part.mesh.influences.size()));
  }
}

}  // namespace ck::worker
