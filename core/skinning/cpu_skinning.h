#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/character.h"

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

// The character at rest, as a static object. Vertices are skinned at rest with the default morph
// weights and then bound to one joint at the model's origin. The result has no clips and no morph
// targets; meshes, materials and images are kept. Where joints mirror a part, its normals point
// outwards and its triangles wind accordingly.
Character restShape(const Character& character);

}  // namespace ck
