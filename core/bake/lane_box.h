#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/bake/lane_poser.h"
#include "core/bake/vertex_set.h"

namespace ck {

// Vertices prepared for boxes around many poses.
class LaneVertices {
 public:
  // `limited` holds the vertices with more influences than the bake keeps; it must outlive this.
  LaneVertices(const VertexSet& vertices, const LimitedVertices& limited, std::size_t jointCount);

  // Extends `box` by every vertex under eight poses (one LanePose per skin joint). The result is
  // exact: what is skipped cannot extend the box, because a posed vertex lies in the convex hull of
  // its images under its single joints, and these lie in the image of a box around all vertices of
  // the joint.
  void grow(std::span<const LanePose> poses, PosedBox& box, LanePath path = LanePath::Best) const;

  // The largest displacement that leaving out influences causes in eight poses, in metres.
  float worstLimited(std::span<const LanePose> poses, LanePath path = LanePath::Best) const;

 private:
  struct Part {
    float center[3] = {};
    float half[3] = {};
  };

  struct Work;

  VertexSet vertices_;
  const LimitedVertices& limited_;
  std::vector<VertexCluster> clusters_;
  std::vector<Part> parts_;                             // per joint: the box of its vertices
  std::vector<std::vector<std::uint32_t>> clustersOf_;  // per joint: the clusters that it moves
};

}  // namespace ck
