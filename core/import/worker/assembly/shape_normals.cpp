#include "core/import/worker/assembly/shape_normals.h"

#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace ck::worker {

ShapeNormals::ShapeNormals(const Mesh& mesh, NormalsFrom from) : mesh_(mesh), from_(from) {
  std::map<std::array<std::uint32_t, 6>, std::uint32_t> points;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    // Adding 0 maps -0 to 0.
    const glm::vec3 p = mesh.positions[v] + glm::vec3(0.0f);
    const bool edges = from == NormalsFrom::File;
    const glm::vec3 n = edges ? mesh.normals[v] + glm::vec3(0.0f) : glm::vec3(0.0f);
    std::array<std::uint32_t, 6> key = {};
    for (int i = 0; i < 3; ++i) {
      key[static_cast<std::size_t>(i)] = std::bit_cast<std::uint32_t>(p[i]);
      key[static_cast<std::size_t>(i) + 3] = std::bit_cast<std::uint32_t>(n[i]);
    }
    pointOf_.push_back(
        points.try_emplace(key, static_cast<std::uint32_t>(points.size())).first->second);
  }
  pointCount_ = points.size();
  atRest_ = surfaceNormals(mesh.positions);
}

std::vector<glm::vec3> ShapeNormals::surfaceNormals(const std::vector<glm::vec3>& positions) const {
  std::vector<glm::dvec3> sums(pointCount_, glm::dvec3(0.0));
  for (std::size_t i = 0; i + 2 < mesh_.indices.size(); i += 3) {
    const glm::dvec3 corners[3] = {glm::dvec3(positions[mesh_.indices[i]]),
                                   glm::dvec3(positions[mesh_.indices[i + 1]]),
                                   glm::dvec3(positions[mesh_.indices[i + 2]])};
    const glm::dvec3 area = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
    const double size = glm::length(area);
    for (std::size_t corner = 0; corner < 3 && size > 0.0; ++corner) {
      const glm::dvec3 along = corners[(corner + 1) % 3] - corners[corner];
      const glm::dvec3 back = corners[(corner + 2) % 3] - corners[corner];
      const double angle = std::atan2(size, glm::dot(along, back));
      const double share = from_ == NormalsFrom::File ? angle / size : 1.0;
      sums[pointOf_[mesh_.indices[i + corner]]] += area * share;
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
  const std::vector<glm::vec3> shaped = surfaceNormals(positions);
  MorphTarget turned;
  turned.name = target.name;
  for (std::size_t v = 0; v < count; ++v) {
    const glm::vec3 before = atRest_[pointOf_[v]];
    const glm::vec3 after = shaped[pointOf_[v]];
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
