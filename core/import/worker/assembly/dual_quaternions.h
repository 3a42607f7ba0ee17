#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// Skinning by dual quaternions: joints are blended as rotations and translations, so twisted limbs
// keep their volume (docs/techniques.md 4.3). The product skins by matrices; this class measures
// the difference.
class DualQuaternionSkin {
 public:
  // `skinMatrices`: as for skinMesh(). Shear is dropped.
  explicit DualQuaternionSkin(std::span<const glm::dmat4> skinMatrices);

  // Where a bind position goes. `influences` must not be empty, and their weights sum to 1.
  glm::dvec3 position(const glm::dvec3& bind, std::span<const Influence> influences) const;

 private:
  struct Joint {
    glm::dquat real;  // the rotation
    glm::dquat dual;  // 0.5 * translation * rotation
    glm::dvec3 scale;
  };
  std::vector<Joint> joints_;
};

// Adds the note SkinningByMatrices for each mesh that the file skins by dual quaternions, with the
// largest distance of a vertex in millimetres, over the rest pose and the key times of all clips.
// If there are more than 1,000 poses or 2 million positions, an even choice is measured. Meshes
// without a difference of 0.01 mm have no note, unless there is no clip that could show it.
// `dualShares` has one entry per mesh, as SourceMesh::dualShares. The character must be valid.
void noteDualQuaternions(const std::vector<std::vector<float>>& dualShares, Character& character);

}  // namespace ck::worker
