#include "core/import/worker/assembly/surface_tangents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/base/assert.h"
#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// The index of the vertex's sum (mirrored or not) to which a triangle contributes.
enum Side : std::size_t { kUpright = 0, kMirrored = 1, kUndecided = 2 };

// How texture coordinates map onto a triangle.
struct Laid {
  Side side = kUndecided;
  glm::dvec3 along{0.0};  // direction in which u grows, of any length
};

using Uvs = std::vector<glm::vec2>;

// The coordinates in the image that a map shows.
Uvs placedUvs(const Mesh& mesh, const SurfaceMap& map) {
  Uvs uvs = map.uvSet == 0 ? mesh.uvs : mesh.secondUvs;
  const float cosine = std::cos(map.rotation);
  const float sine = std::sin(map.rotation);
  for (glm::vec2& uv : uvs) {
    const glm::vec2 sized = map.scale * uv;
    uv = map.offset +
         glm::vec2(cosine * sized.x + sine * sized.y, cosine * sized.y - sine * sized.x);
  }
  return uvs;
}

Laid laidOn(const Mesh& mesh, const Uvs& uvs, std::size_t firstCorner) {
  const auto at = [&mesh, firstCorner](std::size_t corner) {
    return static_cast<std::size_t>(mesh.indices[firstCorner + corner]);
  };
  const glm::dvec3 origin(mesh.positions[at(0)]);
  const glm::dvec3 right = glm::dvec3(mesh.positions[at(1)]) - origin;
  const glm::dvec3 left = glm::dvec3(mesh.positions[at(2)]) - origin;
  const glm::dvec2 uvRight = glm::dvec2(uvs[at(1)]) - glm::dvec2(uvs[at(0)]);
  const glm::dvec2 uvLeft = glm::dvec2(uvs[at(2)]) - glm::dvec2(uvs[at(0)]);
  const double area = uvRight.x * uvLeft.y - uvLeft.x * uvRight.y;
  if (!(std::abs(area) > 1e-30)) return {};
  const double sign = area < 0.0 ? -1.0 : 1.0;
  const glm::dvec3 along = (right * uvLeft.y - left * uvRight.y) * sign;
  const glm::dvec3 down = (left * uvRight.x - right * uvLeft.x) * sign;
  const glm::dvec3 normal = glm::dvec3(mesh.normals[at(0)]) + glm::dvec3(mesh.normals[at(1)]) +
                            glm::dvec3(mesh.normals[at(2)]);
  const double turn = glm::dot(glm::cross(normal, along), down);
  if (turn == 0.0 || !std::isfinite(turn)) return {};
  return {turn < 0.0 ? kUpright : kMirrored, along};
}

// Made orthogonal to the normal and normalised; zero if both are parallel.
glm::dvec3 across(const glm::dvec3& normal, const glm::dvec3& direction) {
  const glm::dvec3 raw = direction - normal * glm::dot(normal, direction);
  const double length = glm::length(raw);
  return length > 0.0 ? raw / length : glm::dvec3(0.0);
}

double cornerAngle(const Mesh& mesh, std::size_t firstCorner, std::size_t corner) {
  const auto place = [&](std::size_t c) {
    return glm::dvec3(mesh.positions[mesh.indices[firstCorner + c % 3]]);
  };
  const glm::dvec3 next = place(corner + 1) - place(corner);
  const glm::dvec3 last = place(corner + 2) - place(corner);
  return std::atan2(glm::length(glm::cross(next, last)), glm::dot(next, last));
}

// Appends a copy of this vertex.
std::uint32_t doubled(Mesh& mesh, std::uint32_t vertex) {
  const auto added = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.push_back(mesh.positions[vertex]);
  mesh.normals.push_back(mesh.normals[vertex]);
  for (auto* uvs : {&mesh.uvs, &mesh.secondUvs}) {
    if (!uvs->empty()) uvs->push_back((*uvs)[vertex]);
  }
  if (!mesh.colors.empty()) mesh.colors.push_back(mesh.colors[vertex]);
  const std::uint32_t first = mesh.influenceStarts[vertex];
  const std::uint32_t last = mesh.influenceStarts[vertex + 1];
  for (std::uint32_t i = first; i < last; ++i) {
    mesh.influences.push_back(mesh.influences[i]);
  }
  mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
  for (MorphTarget& target : mesh.morphTargets) {
    const auto found = std::lower_bound(target.vertices.begin(), target.vertices.end(), vertex);
    if (found == target.vertices.end() || *found != vertex) continue;
    const auto entry = static_cast<std::size_t>(found - target.vertices.begin());
    target.vertices.push_back(added);
    target.positionDeltas.push_back(target.positionDeltas[entry]);
    for (auto* deltas : {&target.normalDeltas, &target.tangentDeltas}) {
      if (!deltas->empty()) deltas->push_back((*deltas)[entry]);
    }
  }
  return added;
}

// Any direction orthogonal to the normal, for vertices whose texture coordinates define no
// direction.
glm::dvec3 anyAcross(const glm::dvec3& normal) {
  const glm::dvec3 away = std::abs(normal.x) < 0.8 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
  return across(normal, away);
}

// Gives each vertex one mirror sign by duplicating vertices with triangles of both signs. Returns
// the sign of every vertex, including duplicates.
std::vector<Side> sortSides(Mesh& mesh, const std::vector<Laid>& laid,
                            std::vector<std::uint32_t>& points) {
  std::vector<Side> sides(mesh.positions.size(), kUndecided);
  std::map<std::uint32_t, std::uint32_t> others;
  for (std::size_t i = 0; i < laid.size() * 3; ++i) {
    const Side wanted = laid[i / 3].side;
    std::uint32_t& corner = mesh.indices[i];
    if (wanted == kUndecided) continue;
    if (sides[corner] == kUndecided) sides[corner] = wanted;
    if (sides[corner] == wanted) continue;
    const auto [other, isNew] = others.try_emplace(corner, 0);
    if (isNew) {
      other->second = doubled(mesh, corner);
      points.push_back(points[corner]);
      sides.push_back(wanted);
    }
    corner = other->second;
  }
  return sides;
}

}  // namespace

std::size_t makeTangents(Mesh& mesh, const SurfaceMap& map) {
  const std::size_t before = mesh.positions.size();
  const Uvs uvs = placedUvs(mesh, map);
  CK_ASSERT(mesh.normals.size() == before && uvs.size() == before &&
            mesh.influenceStarts.size() == before + 1);
  auto [points, pointCount] = surfacePoints(mesh, true, &uvs);
  std::vector<Laid> laid;
  laid.reserve(mesh.indices.size() / 3);
  std::vector<std::array<glm::dvec3, 2>> sums(pointCount, {glm::dvec3(0.0), glm::dvec3(0.0)});
  for (std::size_t first = 0; first + 2 < mesh.indices.size(); first += 3) {
    laid.push_back(laidOn(mesh, uvs, first));
    if (laid.back().side == kUndecided) continue;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t vertex = mesh.indices[first + corner];
      sums[points[vertex]][laid.back().side] +=
          across(glm::dvec3(mesh.normals[vertex]), laid.back().along) *
          cornerAngle(mesh, first, corner);
    }
  }
  const std::vector<Side> sides = sortSides(mesh, laid, points);
  mesh.tangents.clear();
  mesh.tangents.reserve(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const glm::dvec3 normal(mesh.normals[v]);
    const bool mirrored = sides[v] == kMirrored;
    glm::dvec3 tangent = across(normal, sums[points[v]][mirrored ? kMirrored : kUpright]);
    if (tangent == glm::dvec3(0.0)) tangent = anyAcross(normal);
    mesh.tangents.emplace_back(glm::vec3(tangent), mirrored ? -1.0f : 1.0f);
  }
  return mesh.positions.size() - before;
}

void completeTangents(SourceScene& scene) {
  for (SourceMesh& source : scene.meshes) {
    Mesh& mesh = source.mesh;
    if (mesh.material < 0) continue;
    const SurfaceMap& map = scene.materials[static_cast<std::size_t>(mesh.material)].normal;
    if (!map) continue;
    const std::string name = cleanText(mesh.name);
    if ((map.uvSet == 0 ? mesh.uvs : mesh.secondUvs).empty()) {
      // Without texture coordinates, tangents from the file would show one texel of the map
      // everywhere.
      mesh.tangents.clear();
      warn(scene.notes, "NormalMapUnused",
           fmt::format("mesh '{}' has a normal map but no texture coordinates; it is shaded "
                       "without. Unwrap it to see the map",
                       name));
    } else if (mesh.tangents.empty()) {
      makeTangents(mesh, map);
      inform(scene.notes, "TangentsComputed",
             fmt::format("mesh '{}' has a normal map but no tangents; they were computed from its "
                         "texture coordinates",
                         name));
    }
  }
}

}  // namespace ck::worker
