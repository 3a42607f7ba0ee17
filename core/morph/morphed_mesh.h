#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/mesh.h"

namespace ck {

// The bind vertices of a mesh after morphing and before skinning, in double.
struct MorphedMesh {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;   // sums of the file's normals, not of unit length
  std::vector<glm::dvec3> tangents;  // as normals; not orthogonal to them; may be empty
};

// Computes base + sum of weight * delta, target by target. This is the reference for all other
// morph paths. `weights` has one entry per target, or is empty if all weights are 0.
MorphedMesh morphedMesh(const Mesh& mesh, std::span<const float> weights);

}  // namespace ck
