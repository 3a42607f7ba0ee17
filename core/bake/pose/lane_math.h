#pragma once

#include "core/base/lanes.h"

// The functions that only the lanes of bakes need. For .cpp files only.
namespace ck::lanes {

// Four rows of floats as quaternions, x first.
CK_LANES_INLINE Quat readQuat(const float (&q)[4][kCount]) {
  return {load<F8>(q[0]), load<F8>(q[1]), load<F8>(q[2]), load<F8>(q[3])};
}

// The cube root of x > 0: by the series around 1 where x is close to it, as it nearly always is
// (within 1e-9), else from a guess by the exponent and Newton's steps.
CK_LANES_INLINE F8 cubeRoot(const F8& x) {
  const F8 e = x - 1.0f;
  const F8 series =
      1.0f + e * (1.0f / 3.0f - e * (1.0f / 9.0f - e * (5.0f / 81.0f - e * (10.0f / 243.0f))));
  const I8 isFar = (e > 0.01f) | (e < -0.01f);
  if (!anyTrue(isFar)) return series;
  // Dividing the bits by three, within what a float holds.
  const F8 third = __builtin_convertvector(std::bit_cast<I8>(x), F8) * (1.0f / 3.0f);
  F8 y = std::bit_cast<F8>(__builtin_convertvector(third, I8) + 709921077);
  for (int step = 0; step < 3; ++step) y = y - (y * y * y - x) / (3.0f * y * y);
  return isFar ? y : series;
}

// Gives every lane the sign with which it is nearest to the lane before; `last` is what precedes
// lane 0, and becomes the last lane.
CK_LANES_INLINE void alignAlong(Quat& q, float (&last)[4]) {
  const auto before = [](const F8& v, float first) __attribute__((always_inline)) {
    return __builtin_shufflevector(v, all(first), 8, 0, 1, 2, 3, 4, 5, 6);
  };
  const I8 turns = dot(q, Quat{before(q.x, last[0]), before(q.y, last[1]), before(q.z, last[2]),
                               before(q.w, last[3])}) < 0.0f;
  if (anyTrue(turns)) {
    F8 sign = all(1.0f);
    float now = 1.0f;
    for (int lane = 0; lane < kCount; ++lane) {
      if (turns[lane] != 0) now = -now;
      sign[lane] = now;
    }
    q = {q.x * sign, q.y * sign, q.z * sign, q.w * sign};
  }
  last[0] = q.x[7];
  last[1] = q.y[7];
  last[2] = q.z[7];
  last[3] = q.w[7];
}

}  // namespace ck::lanes
