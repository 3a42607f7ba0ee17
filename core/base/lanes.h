#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <glm/glm.hpp>

// SIMD types and the operations on them, for code that processes four or eight actors or vertices
// at once. All functions are inlined, so that the instruction set of the calling function
// (CK_LANES_CLONES) applies to all of them. For .cpp files only.
namespace ck::lanes {

inline constexpr int kCount = 8;
using F8 = float __attribute__((vector_size(32)));
using I8 = std::int32_t __attribute__((vector_size(32)));
using U8 = std::uint32_t __attribute__((vector_size(32)));
using F4 = float __attribute__((vector_size(16)));
using I4 = std::int32_t __attribute__((vector_size(16)));
using U4 = std::uint32_t __attribute__((vector_size(16)));
using D4 = double __attribute__((vector_size(32)));
using L4 = std::int64_t __attribute__((vector_size(32)));

// Compiles a function twice, for AVX2 and for any x86-64; the loader picks one. The function is
// called from its own file only, and returns and is given no vectors: it calls an inlined one that
// works with them. Sanitizers start too late for this choice.
#if defined(__x86_64__) && __has_attribute(target_clones) && !defined(CK_SANITIZED) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CK_LANES_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CK_LANES_CLONES
#endif
#define CK_LANES_INLINE __attribute__((always_inline)) inline

template <typename V, typename T>
CK_LANES_INLINE V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <typename V, typename T>
CK_LANES_INLINE void store(T* to, const V& v) {
  std::memcpy(static_cast<void*>(to), &v, sizeof v);
}

CK_LANES_INLINE F8 joined(const F4& low, const F4& high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
CK_LANES_INLINE F4 lowHalf(const F8& v) {
  return __builtin_shufflevector(v, v, 0, 1, 2, 3);
}
// The upper halves of two vectors.
CK_LANES_INLINE F8 highHalves(const F8& a, const F8& b) {
  return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

// The alignment is fixed here so that it is the same under every instruction set.
struct alignas(32) Vec {
  F8 x, y, z;
};
struct alignas(32) Quat {
  F8 x, y, z, w;
};
// Three rows of an affine matrix.
struct alignas(32) Rows {
  F8 at[3][4];
};
struct alignas(32) Local {
  Vec translation;
  Quat rotation;
  Vec scale;
};

static_assert(alignof(Local) == 32);

CK_LANES_INLINE F8 all(float value) {
  return F8{value, value, value, value, value, value, value, value};
}

CK_LANES_INLINE F8 larger(const F8& a, const F8& b) {
  return a > b ? a : b;
}
CK_LANES_INLINE F8 smaller(const F8& a, const F8& b) {
  return a < b ? a : b;
}
CK_LANES_INLINE F8 magnitude(const F8& v) {
  return std::bit_cast<F8>(std::bit_cast<I8>(v) & 0x7fffffff);
}
CK_LANES_INLINE float largest(const F8& v) {
  float result = v[0];
  for (int lane = 1; lane < kCount; ++lane) result = v[lane] > result ? v[lane] : result;
  return result;
}
// Whether a comparison holds in any lane.
CK_LANES_INLINE bool anyTrue(const I8& mask) {
  std::int64_t parts[4];
  store(parts, mask);
  return ((parts[0] | parts[1]) | (parts[2] | parts[3])) != 0;
}

CK_LANES_INLINE Vec mix(const Vec& a, const Vec& b, const F8& t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

CK_LANES_INLINE F8 dot(const Quat& a, const Quat& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// The elements of `v` that `index` names, each in 0..7.
CK_LANES_INLINE F8 permuted(const F8& v, const I8& index) {
#if __has_builtin(__builtin_shuffle)
  return __builtin_shuffle(v, index);
#else
  F8 result;
  for (int lane = 0; lane < kCount; ++lane) result[lane] = v[index[lane]];
  return result;
#endif
}

// The rotation of `b`, then that of `a`.
CK_LANES_INLINE Quat multiplied(const Quat& a, const Quat& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// 1 / sqrt(x) for x > 0: an initial guess from the exponent, then three Newton steps.
CK_LANES_INLINE F8 inverseRoot(const F8& x) {
  F8 y = std::bit_cast<F8>(0x5f3759df - (std::bit_cast<I8>(x) >> 1));
  for (int step = 0; step < 3; ++step) y = y * (1.5f - 0.5f * x * y * y);
  return y;
}

CK_LANES_INLINE Quat normalized(const Quat& q) {
  const F8 size = inverseRoot(dot(q, q) + 1e-30f);
  return {q.x * size, q.y * size, q.z * size, q.w * size};
}

// Interpolates along the arc between unit quaternions with equal signs, `t` in [0, 1]. This is
// nlerp with `t` corrected by a polynomial in t and the cosine d (Arseny Kapoulkine, "Approximating
// slerp", zeux.io, 2015, the fitted variant).
CK_LANES_INLINE Quat alongArc(const Quat& a, const Quat& b, const F8& t) {
  const F8 d = dot(a, b);
  const F8 fast = 1.0904f + d * (-3.2452f + d * (3.55645f - d * 1.43519f));
  const F8 slow = 0.848013f + d * (-1.06021f + d * 0.215638f);
  const F8 middle = t - 0.5f;
  const F8 s = t + t * middle * (t - 1.0f) * (fast * middle * middle + slow);
  const F8 r = 1.0f - s;
  return normalized({a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s});
}

CK_LANES_INLINE Quat agreeing(const Quat& with, const Quat& q) {
  const F8 sign = dot(with, q) < 0.0f ? all(-1.0f) : all(1.0f);
  return {q.x * sign, q.y * sign, q.z * sign, q.w * sign};
}

// Normalised lerp along the shorter arc, for any signs.
CK_LANES_INLINE Quat nlerpShort(const Quat& a, const Quat& q, const F8& t) {
  const Quat b = agreeing(a, q);
  return normalized(
      {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, a.w + (b.w - a.w) * t});
}

CK_LANES_INLINE Rows toRows(const Local& local) {
  const Quat& q = local.rotation;
  const Vec& s = local.scale;
  const F8 xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const F8 xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const F8 xw = q.x * q.w, yw = q.y * q.w, zw = q.z * q.w;
  return {{{(1.0f - 2.0f * (yy + zz)) * s.x, 2.0f * (xy - zw) * s.y, 2.0f * (xz + yw) * s.z,
            local.translation.x},
           {2.0f * (xy + zw) * s.x, (1.0f - 2.0f * (xx + zz)) * s.y, 2.0f * (yz - xw) * s.z,
            local.translation.y},
           {2.0f * (xz - yw) * s.x, 2.0f * (yz + xw) * s.y, (1.0f - 2.0f * (xx + yy)) * s.z,
            local.translation.z}}};
}

// The product of two affine matrices. `a` has a number or eight numbers per element.
template <typename Number>
CK_LANES_INLINE Rows multiplied(const Number (&a)[3][4], const Rows& b) {
  Rows m;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      m.at[row][column] =
          a[row][0] * b.at[0][column] + a[row][1] * b.at[1][column] + a[row][2] * b.at[2][column];
    }
    m.at[row][3] += a[row][3];
  }
  return m;
}

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
    for (int k = 0; k < 4; ++k) v[k] = joined(load<F4>(rows[k] + row), load<F4>(rows[k + 4] + row));
    transpose(v);
    std::memcpy(lanes + row * 4 * kCount, v, sizeof v);
  }
}

inline constexpr float kNormalSteps = 511.0f;

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

}  // namespace ck::lanes
