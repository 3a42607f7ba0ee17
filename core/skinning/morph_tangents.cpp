#include "core/skinning/morph_tangents.h"

namespace ck {

MorphTangents::MorphTangents(const DifferenceSet& set, std::span<const BindVertex> bind,
                             std::span<const std::uint32_t> tangents, int influences)
    : set_(set) {
  for (const BindVertex& vertex : bind) {
    pulls_.push_back(heaviest(vertex, influences));
    normals_.push_back(vertex.normal);
  }
  for (const std::uint32_t packed : tangents) tangents_.push_back(unpackTangent(packed));
}

void MorphTangents::turn(std::span<const ShownShape> shown, const TangentPose& pose) const {
  thread_local std::vector<glm::vec3> normals;
  thread_local std::vector<glm::vec4> tangents;
  normals = normals_;
  tangents = tangents_;
  for (const ShownShape& shape : shown) {
    const DifferenceMesh& morph = set_.morphs[static_cast<std::size_t>(shape.morph)];
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      normals[morph.places[i]] += shape.weight * morph.normals[i];
      tangents[morph.places[i]] += glm::vec4(shape.weight * morph.tangents[i], 0.0f);
    }
  }
  for (std::size_t place = 0; place < pulls_.size(); ++place) {
    const VertexPull& pull = pulls_[place];
    const glm::vec4& bound = tangents[place];
    if (bound.w == 0.0f || pull.count == 0) continue;
    glm::vec3 rows[3] = {};
    for (std::uint32_t i = 0; i < pull.count; ++i) {
      const glm::vec4* joint = &pose.rows[std::size_t{pull.joints[i]} * 3];
      for (int r = 0; r < 3; ++r) rows[r] += pull.weights[i] * glm::vec3(joint[r]);
    }
    const glm::vec3 cofactors[3] = {glm::cross(rows[1], rows[2]), glm::cross(rows[2], rows[0]),
                                    glm::cross(rows[0], rows[1])};
    glm::vec3 along;
    glm::vec3 normal;
    for (int r = 0; r < 3; ++r) {
      along[r] = glm::dot(rows[r], glm::vec3(bound));
      normal[r] = glm::dot(cofactors[r], normals[place]);
    }
    along -= normal * (glm::dot(normal, along) / (glm::dot(normal, normal) + 1e-30f));
    const float length = glm::length(along);
    if (!(length > 0.0f)) continue;
    const bool mirrors = glm::dot(rows[0], cofactors[0]) < 0.0f;
    const float side = mirrors ? -bound.w : bound.w;
    pose.tangents[set_.vertices[place]] = packTangent(glm::vec4(along / length, side));
  }
}

}  // namespace ck
