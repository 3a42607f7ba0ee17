#pragma once

#include <vector>

#include "core/detail/point_set.h"

namespace ck {

// The character with the triangles of `surface` and the vertices that these use, in the order of
// `plain`, which unmorphed() has made. `influences` has one entry per point of `points`.
Character levelCharacter(const Character& plain, const PointSet& points, const Surface& surface,
                         const std::vector<LimitedInfluences>& influences);

}  // namespace ck
