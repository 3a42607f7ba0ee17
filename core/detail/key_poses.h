#pragma once

#include <vector>

#include "core/base/job.h"
#include "core/base/result.h"
#include "core/detail/point_set.h"

namespace ck {

// A pose of a clip.
struct KeyPose {
  int clip = -1;                  // into Character::clips; -1: at rest
  double seconds = 0.0;           // on the file's timeline
  std::vector<SkinMatrix> skins;  // one per skin joint
};

// Poses of all clips that differ most from each other, at most `most` (> 0). All clips are looked
// at, at hundreds of moments in total, with their first and last one. The first clip's first pose
// comes first; then always the one that is farthest from all before it, so that extremes come early
// and any number of first entries is a good choice. How far two poses are apart is measured at a
// few points of each joint, as seen from the joint that moves the most vertices. A character
// without clips has its rest pose alone. Fails with InvalidInput if a pose is not finite, with its
// clip and time, and with Cancelled.
Result<std::vector<KeyPose>> keyPoses(const Character& character, const PointSet& points,
                                      std::size_t most, const JobContext& job);

}  // namespace ck
