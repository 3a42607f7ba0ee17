#pragma once

#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/joint_poses.h"
#include "core/bake/pose_lanes.h"

namespace ck {

// Encodes poses as their parents see them (isLocal()), eight frames at once: each joint relative to
// its parent as that is decoded, as aimFrame() says. Holds scratch memory, so each thread needs its
// own. The atlas must outlive it; it needs its joints and ranges.
class LocalEncoder {
 public:
  explicit LocalEncoder(const Atlas& atlas);

  // `frame` numbers the first of `texels.count` frames through all clips, as JointPoses does. Does
  // not write tracks. Both paths give the same bytes.
  void encode(const JointPoses& seen, int clip, std::size_t frame, const LaneTexels& texels,
              LanePath path = LanePath::Best);

  struct Rotation {
    alignas(32) float at[4][kLaneCount];
  };
  // A joint of the eight frames.
  struct Joint {
    int parent = -1;
    Rotation seen;
    alignas(32) float scale[kLaneCount];
    float lowScale = 0.0f;
    float scalePerStep = 0.0f;  // steps per unit, or 0 where the range has no size
    Rotation exact;             // in model space
    Rotation drawn;             // the same of the rounded rotations
  };

 private:
  void gather(const JointPoses& seen, std::size_t frame, std::size_t count);

  const Atlas& atlas_;
  std::vector<Joint> joints_;
};

}  // namespace ck
