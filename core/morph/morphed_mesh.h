#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/mesh.h"

namespace ck {

// The bind vertices of a mesh with its morph targets applied, before any skinning, in double.
struct MorphedMesh {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;   // sums of the file's, not of unit length
  std::vector<glm::dvec3> tangents;  // the same, not at right angles to the normals; or empty
};

// The judge of every other way to morph: base + sum of weight * delta, target after target.
// `weights` has one entry per target, or none where no target moves.
MorphedMesh morphedMesh(const Mesh& mesh, std::span<const float> weights);

}  // namespace ck
