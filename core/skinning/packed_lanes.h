#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <glm/glm.hpp>

#include "core/anim/lanes.h"

// SIMD helpers that convert eight skinned vertices to PackedVertex. For .cpp files only, like
// lanes.h.
namespace ck::lanes {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

using F4 = float __attribute__((vector_size(16)));

inline constexpr float kNormalSteps = 511.0f;

// Transposes four vectors of eight: lane k (and k + 4) of all four becomes vector k. The function
// is its own inverse.
CK_LANES_INLINE void transpose(F8 (&v)[4]) {
  const F8 a = __builtin_shufflevector(v[0], v[1], 0, 8, 1, 9, 4, 12, 5, 13);
  const F8 b = __builtin_shufflevector(v[0], v[1], 2, 10, 3, 11, 6, 14, 7, 15);
  const F8 c = __builtin_shufflevector(v[2], v[3], 0, 8, 1, 9, 4, 12, 5, 13);
  const F8 d = __builtin_shufflevector(v[2], v[3], 2, 10, 3, 11, 6, 14, 7, 15);
  v[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
  v[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
  v[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
  v[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

// Gathers the matrix rows of eight poses, so that each element is stored for eight poses side by
// side. `lanes` gets 32 floats per row.
CK_LANES_INLINE void gatherRows(const glm::vec4* const (&rows)[kCount], std::size_t rowCount,
                                float* lanes) {
  for (std::size_t row = 0; row < rowCount; ++row) {
    F8 v[4];
    for (int k = 0; k < 4; ++k) {
      F4 low;
      F4 high;
      std::memcpy(&low, rows[k] + row, sizeof low);
      std::memcpy(&high, rows[k + 4] + row, sizeof high);
      v[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    transpose(v);
    std::memcpy(lanes + row * 4 * kCount, v, sizeof v);
  }
}

CK_LANES_INLINE F8 eightFrom(const float* lanes) {
  F8 value;
  std::memcpy(&value, lanes, sizeof value);
  return value;
}

CK_LANES_INLINE I8 wholeSteps(const F8& value) {
  // Adding this number to a float below 2^22 leaves the nearest integer in the lowest bits.
  constexpr float kToWhole = 12582912.0f;
  return std::bit_cast<I8>(value + kToWhole) & 1023;
}

// Like packNormal(), for vectors of any length. The packed bits are returned as floats.
CK_LANES_INLINE F8 packedNormals(const F8& x, const F8& y, const F8& z) {
  const F8 size = inverseRoot(x * x + y * y + z * z + 1e-30f) * kNormalSteps;
  return std::bit_cast<F8>(wholeSteps(x * size) | (wholeSteps(y * size) << 10) |
                           (wholeSteps(z * size) << 20));
}

#pragma GCC diagnostic pop

}  // namespace ck::lanes
