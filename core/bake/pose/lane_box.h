#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/vertex_set.h"

namespace ck {

// The skin joints of the batch that a poser has posed last, each posed when it is first asked for.
class LaneSkins {
 public:
  LaneSkins(const LanePoser& poser, LanePoser::Run& run, LanePath path);

  // To be called when a batch was posed.
  void restart() { ++batch_; }
  const LaneRows& jointOf(std::size_t skinJoint) const { return poser_.jointOf(run_, skinJoint); }
  const LanePose& of(std::size_t skinJoint);
  // The poses of the joints that were requested in this batch.
  const LanePose* poses() const { return poses_.data(); }
  std::span<const LanePose> all();

 private:
  const LanePoser& poser_;
  LanePoser::Run& run_;
  LanePath path_;
  std::vector<LanePose> poses_;
  std::vector<std::size_t> posedIn_;  // the batch of each pose
  std::size_t batch_ = 0;
};

// Vertices prepared for boxes around many poses.
class LaneVertices {
 public:
  // `limited` holds the vertices with more influences than the bake keeps; it must outlive this.
  LaneVertices(const VertexSet& vertices, const LimitedVertices& limited,
               std::span<const SkinJoint> skinJoints);

  // Extends `box` by every vertex under eight poses (one LanePose per skin joint). The result is
  // exact: what is skipped cannot extend the box, because a posed vertex lies in the convex hull of
  // its images under its single joints, and these lie in the image of a box around all vertices of
  // the joint.
  void grow(std::span<const LanePose> poses, PosedBox& box, LanePath path = LanePath::Best) const;

  // The same. Of joints whose vertices cannot leave the box no skin matrix is asked for.
  void grow(LaneSkins& skins, PosedBox& box, LanePath path = LanePath::Best) const;

  bool limits() const { return limited_.all.size() > 0; }

  // The largest displacement that leaving out influences causes in eight poses, in metres.
  float worstLimited(std::span<const LanePose> poses, LanePath path = LanePath::Best) const;

 private:
  struct Part {
    float center[3] = {};
    float half[3] = {};
  };

  struct Kernel;

  VertexSet vertices_;
  const LimitedVertices& limited_;
  std::vector<VertexCluster> clusters_;
  std::vector<Part> parts_;       // per skin joint: the box of its vertices in bind space
  std::vector<Part> jointParts_;  // the same in the joint's space
  std::vector<std::vector<std::uint32_t>> clustersOf_;  // per joint: the clusters that it moves
};

}  // namespace ck
