#include "core/detail/simplifier.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ck {
namespace {

// The common part of the vertices of one side of a seam, without padding.
struct SurfaceKey {
  std::uint32_t mesh = 0;
  std::uint32_t point = 0;
  glm::vec2 uv{0.0f};
  glm::vec2 secondUv{0.0f};
  glm::vec4 color{0.0f};
};
static_assert(sizeof(SurfaceKey) == 40);

std::vector<SurfaceKey> keysOf(const Character& character, const PointSet& points) {
  std::vector<SurfaceKey> keys;
  for (std::uint32_t m = 0; m < character.meshes.size(); ++m) {
    const Mesh& mesh = character.meshes[m];
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      SurfaceKey key;
      key.mesh = m;
      key.point = points.pointOf[keys.size()];
      // Adding 0 maps -0 to 0.
      if (!mesh.uvs.empty()) key.uv = mesh.uvs[v] + 0.0f;
      if (!mesh.secondUvs.empty()) key.secondUv = mesh.secondUvs[v] + 0.0f;
      if (!mesh.colors.empty()) key.color = mesh.colors[v] + 0.0f;
      keys.push_back(key);
    }
  }
  return keys;
}

std::uint32_t rootOf(std::vector<std::uint32_t>& parents, std::uint32_t node) {
  while (parents[node] != node) {
    parents[node] = parents[parents[node]];
    node = parents[node];
  }
  return node;
}

// Costs of the choice of a triangle's vertices, besides up to 2 for the normal of each: of two
// corners in different charts, and of an edge as long as the texture is wide.
constexpr float kOtherChart = 8.0f;
constexpr float kPerTexture = 4.0f;
constexpr std::size_t kMostChoices = 8;

}  // namespace

Simplifier::Simplifier(const Character& character, const PointSet& points, const Surface& whole)
    : points_(points) {
  std::vector<SurfaceKey> keys = keysOf(character, points);
  for (const Mesh& mesh : character.meshes) {
    normals_.insert(normals_.end(), mesh.normals.begin(), mesh.normals.end());
  }
  for (const SurfaceKey& key : keys) {
    meshes_.push_back(key.mesh);
    uvs_.push_back(key.uv);
  }
  const auto group = [&keys](Grouping& grouping) {
    grouping.groupOf.resize(keys.size());
    if (keys.empty()) return;
    grouping.vertexOf.resize(meshopt_generateVertexRemap(grouping.groupOf.data(), nullptr,
                                                         keys.size(), keys.data(), keys.size(),
                                                         sizeof(SurfaceKey)));
    for (std::size_t v = keys.size(); v-- > 0;) {
      grouping.vertexOf[grouping.groupOf[v]] = static_cast<std::uint32_t>(v);
    }
  };
  group(bySurface_);
  for (SurfaceKey& key : keys) key = {.mesh = key.mesh, .point = key.point};
  group(byMesh_);
  findCharts(whole);
  findSiblings(whole);
}

void Simplifier::findCharts(const Surface& whole) {
  charts_.resize(bySurface_.vertexOf.size());
  std::iota(charts_.begin(), charts_.end(), 0u);
  for (std::size_t i = 0; i + 2 < whole.corners.size(); i += 3) {
    const std::uint32_t first = rootOf(charts_, bySurface_.groupOf[whole.corners[i]]);
    for (std::size_t corner = 1; corner < 3; ++corner) {
      charts_[rootOf(charts_, bySurface_.groupOf[whole.corners[i + corner]])] = first;
    }
  }
  for (std::uint32_t group = 0; group < charts_.size(); ++group) {
    charts_[group] = rootOf(charts_, group);
  }
}

void Simplifier::findSiblings(const Surface& whole) {
  siblings_ = whole.corners;
  const auto groupOf = [this](std::uint32_t vertex) { return byMesh_.groupOf[vertex]; };
  std::sort(siblings_.begin(), siblings_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(groupOf(a), a) < std::pair(groupOf(b), b);
  });
  siblings_.erase(std::unique(siblings_.begin(), siblings_.end()), siblings_.end());
  siblingStarts_.assign(byMesh_.vertexOf.size() + 1, 0);
  for (const std::uint32_t vertex : siblings_) ++siblingStarts_[groupOf(vertex) + 1];
  std::partial_sum(siblingStarts_.begin(), siblingStarts_.end(), siblingStarts_.begin());
  atPoint_.resize(points_.size());
  for (std::uint32_t group = 0; group < byMesh_.vertexOf.size(); ++group) {
    if (siblingStarts_[group] == siblingStarts_[group + 1]) continue;
    atPoint_[points_.pointOf[byMesh_.vertexOf[group]]].push_back(group);
  }
}

// The corners of what is left, as vertices that stand for their group.
std::vector<std::uint32_t> Simplifier::reduced(const Surface& from, const Wish& wish) const {
  const Grouping& grouping = wish.seams == Seams::Kept ? bySurface_ : byMesh_;
  // Groups that no triangle uses must be left out, because meshoptimizer takes every vertex at a
  // place for a side of a seam there.
  std::vector<std::uint32_t> numbers(grouping.vertexOf.size(), ~0u);
  std::vector<std::uint32_t> used;
  std::vector<glm::vec3> positions;
  std::vector<std::uint32_t> indices;
  for (const std::uint32_t corner : from.corners) {
    const std::uint32_t group = grouping.groupOf[corner];
    if (numbers[group] == ~0u) {
      numbers[group] = static_cast<std::uint32_t>(used.size());
      used.push_back(grouping.vertexOf[group]);
      positions.push_back(wish.shape[points_.pointOf[corner]]);
    }
    indices.push_back(numbers[group]);
  }
  // meshoptimizer 0.18 has no list of vertices to keep. It never moves places of three vertices.
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (wish.kept[points_.pointOf[used[i]]] == 0) continue;
    const glm::vec3 place = positions[i];
    positions.insert(positions.end(), 2, place);
  }
  std::vector<std::uint32_t> left(indices.size());
  // Relative to the shape's size. The number of triangles decides, so no error is too large.
  constexpr float kAnyError = 1.0f;
  left.resize(meshopt_simplify(left.data(), indices.data(), indices.size(), &positions[0].x,
                               positions.size(), sizeof(glm::vec3), wish.triangles * 3, kAnyError));
  for (std::uint32_t& corner : left) corner = used[corner];
  return left;
}

// The corner's vertex if it belongs to the mesh, or else one of the mesh at the same point.
std::optional<std::uint32_t> Simplifier::inMesh(std::uint32_t corner, std::uint32_t mesh) const {
  if (meshes_[corner] == mesh) return corner;
  for (const std::uint32_t group : atPoint_[points_.pointOf[corner]]) {
    if (meshes_[byMesh_.vertexOf[group]] == mesh) return byMesh_.vertexOf[group];
  }
  return std::nullopt;
}

// Where more than two sides meet, meshoptimizer can leave a corner with the vertex of another mesh.
std::optional<Simplifier::Corners> Simplifier::inOneMesh(const Corners& corners) const {
  for (const std::uint32_t corner : corners) {
    const std::uint32_t mesh = meshes_[corner];
    const auto a = inMesh(corners[0], mesh);
    const auto b = inMesh(corners[1], mesh);
    const auto c = inMesh(corners[2], mesh);
    if (a && b && c) return Corners{*a, *b, *c};
  }
  return std::nullopt;
}

std::optional<Surface> Simplifier::simplified(const Surface& from, const Wish& wish) const {
  if (from.corners.empty()) return from;
  const std::vector<std::uint32_t> left = reduced(from, wish);
  std::vector<std::vector<std::uint32_t>> ofMesh(from.starts.size() - 1);
  for (std::size_t i = 0; i < left.size(); i += 3) {
    const auto point = [&](std::size_t corner) { return points_.pointOf[left[i + corner]]; };
    if (point(0) == point(1) || point(1) == point(2) || point(2) == point(0)) continue;
    const auto corners = inOneMesh({left[i], left[i + 1], left[i + 2]});
    if (!corners) return std::nullopt;
    std::vector<std::uint32_t>& mesh = ofMesh[meshes_[corners->front()]];
    mesh.insert(mesh.end(), corners->begin(), corners->end());
  }
  Surface surface;
  for (std::size_t mesh = 0; mesh < ofMesh.size(); ++mesh) {
    surface.starts.push_back(surface.corners.size());
    const std::span<const std::uint32_t> before = from.ofMesh(mesh);
    const std::span<const std::uint32_t> kept = ofMesh[mesh].empty() ? before : ofMesh[mesh];
    surface.corners.insert(surface.corners.end(), kept.begin(), kept.end());
  }
  surface.starts.push_back(surface.corners.size());
  return surface;
}

// The vertices that a corner may have.
std::vector<std::uint32_t> Simplifier::choices(std::uint32_t corner, Seams seams) const {
  const std::uint32_t group = byMesh_.groupOf[corner];
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t i = siblingStarts_[group];
       i < siblingStarts_[group + 1] && vertices.size() < kMostChoices; ++i) {
    const std::uint32_t sibling = siblings_[i];
    if (seams == Seams::Crossed || bySurface_.groupOf[sibling] == bySurface_.groupOf[corner]) {
      vertices.push_back(sibling);
    }
  }
  return vertices.empty() ? choices(corner, Seams::Crossed) : vertices;
}

float Simplifier::unlikeness(std::uint32_t a, std::uint32_t b) const {
  const bool isSameChart = charts_[bySurface_.groupOf[a]] == charts_[bySurface_.groupOf[b]];
  return (isSameChart ? 0.0f : kOtherChart) + kPerTexture * glm::distance(uvs_[a], uvs_[b]);
}

Simplifier::Corners Simplifier::dressed(const Corners& corners, Seams seams) const {
  std::array<std::vector<std::uint32_t>, 3> vertices;
  std::array<glm::vec3, 3> at;
  for (std::size_t i = 0; i < 3; ++i) {
    vertices[i] = choices(corners[i], seams);
    at[i] = points_.positions[points_.pointOf[corners[i]]];
  }
  const glm::vec3 across = glm::cross(at[1] - at[0], at[2] - at[0]);
  const float length = glm::length(across);
  const glm::vec3 normal = length > 0.0f ? across / length : glm::vec3(0.0f);
  const auto turned = [&](std::uint32_t vertex) {
    return 1.0f - glm::dot(normals_[vertex], normal);
  };
  Corners best = corners;
  float lowest = std::numeric_limits<float>::infinity();
  for (const std::uint32_t a : vertices[0]) {
    for (const std::uint32_t b : vertices[1]) {
      const float ofTwo = turned(a) + turned(b) + unlikeness(a, b);
      for (const std::uint32_t c : vertices[2]) {
        const float cost = ofTwo + turned(c) + unlikeness(b, c) + unlikeness(c, a);
        if (cost >= lowest) continue;
        lowest = cost;
        best = {a, b, c};
      }
    }
  }
  return best;
}

Surface Simplifier::dressed(const Surface& surface, Seams seams) const {
  Surface result = surface;
  for (std::size_t i = 0; i + 2 < result.corners.size(); i += 3) {
    std::uint32_t* corner = &result.corners[i];
    const Corners corners = dressed(Corners{corner[0], corner[1], corner[2]}, seams);
    std::copy(corners.begin(), corners.end(), corner);
  }
  return result;
}

}  // namespace ck
