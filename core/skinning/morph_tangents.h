#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/morph/difference_set.h"
#include "core/skinning/shape_skin.h"
#include "core/skinning/tangent_skinning.h"

namespace ck {

// Skins the tangents of those vertices of a pose again that morphs move; FastTangents skins them
// without morphs first. Tangent and normal are both those of the morphed vertex.
class MorphTangents {
 public:
  // `set` must turn tangents. `bind` and `tangents` (packed) have the vertex of every place of
  // `set`, with default morph weights. `influences` is as in FastTangents. `set` must outlive this
  // object.
  MorphTangents(const DifferenceSet& set, std::span<const BindVertex> bind,
                std::span<const std::uint32_t> tangents, int influences);

  // Writes the entries DifferenceSet::vertices of `pose.tangents`. May be called from several
  // threads at once.
  void turn(std::span<const ShownShape> shown, const TangentPose& pose) const;

 private:
  const DifferenceSet& set_;
  std::vector<VertexPull> pulls_;    // one per place
  std::vector<glm::vec3> normals_;   // with default weights, one per place
  std::vector<glm::vec4> tangents_;  // as normals_
};

}  // namespace ck
