#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/mesh.h"

namespace ck {

// A skinned mesh, in model space.
struct SkinnedMesh {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;   // unit
  std::vector<glm::dvec4> tangents;  // unit xyz, w as in the mesh, negated where mirrored; or empty
  std::vector<bool> mirrored;  // true where the matrix mirrors; the normal then points inwards
};

struct SkinningOptions {
  int influenceLimit = 0;                    // 1, 2 or 4: the heaviest, renormalised; 0: all
  std::span<const float> morphWeights = {};  // one per target; empty: no morph
};

// Linear blend skinning in double: the reference for all other methods. Positions are sum w_i S_i
// v. Normals are multiplied by the cofactor matrix of the blended linear part, which also handles
// mirroring (docs/techniques.md 4.4). Morph targets are applied before skinning. `skinMatrices` has
// one matrix per skin joint of the rig.
SkinnedMesh skinMesh(const Mesh& mesh, std::span<const glm::dmat4> skinMatrices,
                     const SkinningOptions& options = {});

// Cofactor matrix: columns a1 x a2, a2 x a0, a0 x a1.
glm::dmat3 cofactor(const glm::dmat3& m);

}  // namespace ck
