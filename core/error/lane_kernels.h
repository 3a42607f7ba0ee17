#pragma once

#include "core/bake/pose/lane_math.h"
#include "core/bake/pose_lanes.h"
#include "core/bake/vertex_error.h"

// The arithmetic that the comparisons of eight moments share. For .cpp files only.
namespace ck::lanes {

// The root of a square, which may be 0.
CK_LANES_INLINE F8 root(const F8& square) {
  return square * inverseRoot(square + 1e-30f);
}

CK_LANES_INLINE void storeMm(const F8& square, float* to) {
  store(to, 1000.0f * root(square));
}

// The square of a length that no point of a box exceeds under a matrix. `wider` is how much
// further the box reaches to all sides.
CK_LANES_INLINE F8 reachSquare(const float (&rows)[3][4][kLaneCount], const VertexModel::Box& box,
                               const F8& wider = F8{}) {
  F8 sum = {};
  for (int row = 0; row < 3; ++row) {
    const auto& m = rows[row];
    const F8 x = load<F8>(m[0]);
    const F8 y = load<F8>(m[1]);
    const F8 z = load<F8>(m[2]);
    const F8 most =
        magnitude(x * box.center.x + y * box.center.y + z * box.center.z + load<F8>(m[3])) +
        magnitude(x) * (box.half.x + wider) + magnitude(y) * (box.half.y + wider) +
        magnitude(z) * (box.half.z + wider);
    sum += most * most;
  }
  return sum;
}

// The largest squares of what is compared, by lane, and the lowest index that has them.
struct Top {
  F8 square;
  I8 index;
  CK_LANES_INLINE void take(const F8& other, int which) {
    const I8 more = (other > square) | ((other == square) & (which < index));
    square = more ? other : square;
    index = more ? I8{} + which : index;
  }
};

}  // namespace ck::lanes
