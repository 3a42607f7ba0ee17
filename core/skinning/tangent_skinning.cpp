#include "core/skinning/tangent_skinning.h"

#include <algorithm>

#include "core/base/assert.h"

namespace ck {
namespace {

constexpr std::uint32_t kPlus = 1u << 30;
constexpr std::uint32_t kMinus = 3u << 30;

glm::vec3 unitOrZero(const glm::vec3& v) {
  return v * glm::inversesqrt(std::max(glm::dot(v, v), 1e-30f));
}

}  // namespace

bool hasTangents(const Character& character) {
  return std::any_of(character.meshes.begin(), character.meshes.end(),
                     [](const Mesh& mesh) { return !mesh.tangents.empty(); });
}

std::uint32_t packTangent(const glm::vec4& tangent) {
  if (tangent.w == 0.0f) return 0;
  return packNormal(glm::vec3(tangent)) | (tangent.w < 0.0f ? kMinus : kPlus);
}

glm::vec4 unpackTangent(std::uint32_t packed) {
  if (packed >> 30 == 0) return glm::vec4(0.0f);
  return {unpackNormal(packed), packed >= kMinus ? -1.0f : 1.0f};
}

void skinTangents(const TangentMesh& mesh, std::span<const glm::vec4> rows,
                  std::span<std::uint32_t> out) {
  CK_ASSERT(mesh.tangents.size() == mesh.vertices.size() && out.size() >= mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const BindVertex& bind = mesh.vertices[v];
    const glm::vec4 bound = unpackTangent(mesh.tangents[v]);
    glm::vec3 m[3] = {};
    float sum = 0.0f;
    for (std::size_t i = 0; i < static_cast<std::size_t>(mesh.influences); ++i) {
      if (bind.weights[i] <= 0.0f) break;
      const std::size_t joint = std::size_t{bind.skinJoints[i]} * 3;
      for (std::size_t row = 0; row < 3; ++row) {
        m[row] += bind.weights[i] * glm::vec3(rows[joint + row]);
      }
      sum += bind.weights[i];
    }
    if (bound.w == 0.0f || sum <= 0.0f) {
      out[v] = mesh.tangents[v];
      continue;
    }
    const glm::vec3 cofactors[3] = {glm::cross(m[1], m[2]), glm::cross(m[2], m[0]),
                                    glm::cross(m[0], m[1])};
    const glm::vec3 along(bound);
    const glm::vec3 turned(glm::dot(m[0], along), glm::dot(m[1], along), glm::dot(m[2], along));
    const glm::vec3 normal =
        unitOrZero({glm::dot(cofactors[0], bind.normal), glm::dot(cofactors[1], bind.normal),
                    glm::dot(cofactors[2], bind.normal)});
    const float side = glm::dot(m[0], cofactors[0]) < 0.0f ? -bound.w : bound.w;
    out[v] = packTangent({unitOrZero(turned - normal * glm::dot(normal, turned)), side});
  }
}

}  // namespace ck
