#include "core/import/worker/assembly/shape_normals.h"

#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace ck::worker {
namespace {

using PointKey = std::array<std::uint32_t, 8>;  // bits of position, normal, texture coordinates

struct PointHash {
  std::size_t operator()(const PointKey& key) const {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (const std::uint32_t part : key) hash = (hash ^ part) * 0x100000001b3ull;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

// The normal of every point; 0 if no triangle at the point has an area.
std::vector<glm::vec3> surfaceNormals(const SurfacePoints& points,
                                      const std::vector<std::uint32_t>& indices,
                                      const std::vector<glm::vec3>& positions, NormalsFrom from) {
  std::vector<glm::dvec3> sums(points.count, glm::dvec3(0.0));
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const glm::dvec3 corners[3] = {glm::dvec3(positions[indices[i]]),
                                   glm::dvec3(positions[indices[i + 1]]),
                                   glm::dvec3(positions[indices[i + 2]])};
    const glm::dvec3 area = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
    const double size = glm::length(area);
    for (std::size_t corner = 0; corner < 3 && size > 0.0; ++corner) {
      double share = 1.0;
      if (from == NormalsFrom::File) {
        const glm::dvec3 along = corners[(corner + 1) % 3] - corners[corner];
        const glm::dvec3 back = corners[(corner + 2) % 3] - corners[corner];
        share = std::atan2(size, glm::dot(along, back)) / size;
      }
      sums[points.ofVertex[indices[i + corner]]] += area * share;
    }
  }
  std::vector<glm::vec3> normals;
  normals.reserve(sums.size());
  for (const glm::dvec3& sum : sums) {
    const double length = glm::length(sum);
    const bool defined = length > 0.0 && std::isfinite(length);
    normals.push_back(defined ? glm::vec3(sum / length) : glm::vec3(0.0f));
  }
  return normals;
}

}  // namespace

SurfacePoints surfacePoints(const Mesh& mesh, bool byNormal, const std::vector<glm::vec2>* uvs) {
  SurfacePoints points;
  points.ofVertex.reserve(mesh.positions.size());
  // Bits, because a NaN is not equal to itself: a file full of them would be one long bucket.
  std::unordered_map<PointKey, std::uint32_t, PointHash> known;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const glm::vec3& p = mesh.positions[v];
    const glm::vec3 n = byNormal ? mesh.normals[v] : glm::vec3(0.0f);
    const glm::vec2 uv = uvs != nullptr ? (*uvs)[v] : glm::vec2(0.0f);
    PointKey key = {};
    std::size_t part = 0;
    for (const float number : {p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y}) {
      key[part++] = std::bit_cast<std::uint32_t>(number + 0.0f);  // adding 0 maps -0 to 0
    }
    const auto next = static_cast<std::uint32_t>(known.size());
    points.ofVertex.push_back(known.try_emplace(key, next).first->second);
  }
  points.count = known.size();
  return points;
}

std::optional<glm::vec3> direction(const glm::vec3& vector) {
  const glm::dvec3 along(vector);
  const double length = glm::length(along);
  if (!(length > 1e-12) || !std::isfinite(length)) return std::nullopt;
  return glm::vec3(along / length);
}

void computeNormals(Mesh& mesh) {
  const SurfacePoints points = surfacePoints(mesh, false, nullptr);
  const std::vector<glm::vec3> normals =
      surfaceNormals(points, mesh.indices, mesh.positions, NormalsFrom::Computed);
  mesh.normals.clear();
  mesh.normals.reserve(mesh.positions.size());
  for (const std::uint32_t point : points.ofVertex) {
    const bool defined = normals[point] != glm::vec3(0.0f);
    mesh.normals.push_back(defined ? normals[point] : glm::vec3(0.0f, 1.0f, 0.0f));
  }
}

void completeNormals(Mesh& mesh) {
  std::vector<glm::vec3> given = std::move(mesh.normals);
  computeNormals(mesh);
  for (std::size_t v = 0; v < given.size(); ++v) {
    if (given[v] != glm::vec3(0.0f)) mesh.normals[v] = given[v];
  }
}

ShapeNormals::ShapeNormals(const Mesh& mesh, NormalsFrom from)
    : mesh_(mesh),
      from_(from),
      points_(surfacePoints(mesh, from == NormalsFrom::File, nullptr)),
      atRest_(surfaceNormals(points_, mesh.indices, mesh.positions, from)) {}

void ShapeNormals::add(MorphTarget& target) const {
  constexpr float kTurned = 1e-6f;
  const std::size_t count = mesh_.positions.size();
  const glm::vec3 nothing(0.0f);
  std::vector<glm::vec3> positions = mesh_.positions;
  std::vector<glm::vec3> moved(count, nothing);
  std::vector<glm::vec3> tangents(target.tangentDeltas.empty() ? 0 : count, nothing);
  for (std::size_t i = 0; i < target.vertices.size(); ++i) {
    const std::uint32_t v = target.vertices[i];
    moved[v] = target.positionDeltas[i];
    positions[v] += target.positionDeltas[i];
    if (!tangents.empty()) tangents[v] = target.tangentDeltas[i];
  }
  const std::vector<glm::vec3> shaped = surfaceNormals(points_, mesh_.indices, positions, from_);
  MorphTarget turned;
  turned.name = target.name;
  for (std::size_t v = 0; v < count; ++v) {
    const glm::vec3 before = atRest_[points_.ofVertex[v]];
    const glm::vec3 after = shaped[points_.ofVertex[v]];
    const bool known = before != nothing && after != nothing;
    const glm::vec3 delta = known ? after - before : nothing;
    const bool tangent = !tangents.empty() && tangents[v] != nothing;
    if (moved[v] == nothing && glm::length(delta) < kTurned && !tangent) continue;
    turned.vertices.push_back(static_cast<std::uint32_t>(v));
    turned.positionDeltas.push_back(moved[v]);
    turned.normalDeltas.push_back(delta);
    if (!tangents.empty()) turned.tangentDeltas.push_back(tangents[v]);
  }
  target = std::move(turned);
}

}  // namespace ck::worker
