#pragma once

#include <cstddef>
#include <vector>

#include "core/base/job.h"
#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

// A character with fewer triangles, for actors that are small on the screen (docs/detail.md).
struct DetailLevel {
  // Rig, materials and the list of meshes are those of the whole character; every mesh that has
  // triangles keeps some. Vertices are some of the whole character's, in its order, with all their
  // attributes and with default morph weights. There are no clips and no morph targets, and every
  // image is one white texel: a level is drawn with the images, and from the atlas, of the whole
  // character. The whole character itself at level 0.
  CharacterPtr character;
  // How far the surface of the whole character is from this one, in metres: the largest distance
  // of a vertex, drawn with its four heaviest influences, from the triangles of the same mesh,
  // joints and influences of this level included. Measured at up to 64 moments of all clips that
  // are chosen to differ most (core/detail/key_poses.h); at other moments it can be larger, by 10 %
  // in tests of real rigs. Morphs count in nothing: far actors are drawn with default weights.
  double errorMeters = 0.0;
  // Influences of a vertex at most: 4, 2 or 1. The heaviest are kept, renormalised.
  int influences = 4;
  // Skin joints that move vertices of the whole character and none here, because an ancestor's
  // skin joint moves them instead.
  int collapsedJoints = 0;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
};

// Finest first: errors ascend and triangles descend. Level 0 is the whole character, with error 0.
struct DetailLevels {
  std::vector<DetailLevel> levels;
};

// Levels with about 1/2, 1/4, 1/8, 1/16 and 1/32 of the triangles and no fewer than 60. A level is
// left out if it saves less than a quarter of the triangles of the one before, or if a coarser one
// is as near to the whole character. A character that cannot be simplified has level 0 alone. Fails
// with InvalidInput if a clip has a pose that is not finite, and with Cancelled.
Result<DetailLevels> makeDetailLevels(const CharacterPtr& character, const JobContext& job = {});

}  // namespace ck
