#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// The character's rig and meshes as far actors show them: default morph weights are applied to the
// vertices, which keep their four heaviest influences, renormalised. There are no clips and no
// morph targets, and every image is one white texel, so that the materials' indices hold. Vertices
// and triangles keep their order.
Character unmorphed(const Character& character);

// The distinct places of a character's surface. A point stands for all vertices, of any mesh, with
// equal bind positions and influences; these are at one place in every pose. Vertices are numbered
// through all meshes, mesh by mesh.
struct PointSet {
  std::vector<std::uint32_t> meshStarts;      // number of each mesh's first vertex, and the end
  std::vector<std::uint32_t> pointOf;         // one per vertex
  std::vector<glm::vec3> positions;           // in bind space, one per point
  std::vector<LimitedInfluences> influences;  // one per point

  std::size_t size() const { return positions.size(); }
};

// `character` as unmorphed() makes it.
PointSet pointsOf(const Character& character);

// Triangles of a character, mesh by mesh.
struct Surface {
  std::vector<std::uint32_t> corners;  // three vertex numbers per triangle
  std::vector<std::size_t> starts;     // the first corner of each mesh, and the end

  std::size_t triangles() const { return corners.size() / 3; }
  std::span<const std::uint32_t> ofMesh(std::size_t mesh) const {
    return std::span(corners).subspan(starts[mesh], starts[mesh + 1] - starts[mesh]);
  }
};
Surface surfaceOf(const Character& character);

// A skin matrix, model space -> model space.
using SkinMatrix = glm::mat4x3;

// A bind position under the skin matrices (one per skin joint).
glm::vec3 posed(const glm::vec3& position, const LimitedInfluences& influences,
                std::span<const SkinMatrix> skinMatrices);

}  // namespace ck
