#pragma once

#include <cstdint>
#include <cstring>

// SIMD types of eight lanes, for code that processes eight actors at once. All functions are
// inlined, so that the instruction set of the calling function (CK_LANES_CLONES) applies to all of
// them. For .cpp files only.
namespace ck::lanes {

// GCC warns that passing vectors by value depends on the instruction set. All functions here are
// inlined, so the warning does not apply.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

inline constexpr int kCount = 8;
using F8 = float __attribute__((vector_size(32)));
using I8 = std::int32_t __attribute__((vector_size(32)));

// Compiles a function twice, for AVX2 and for any x86-64; the loader picks one. Sanitizers start
// too late for this choice, and other compilers use a different syntax.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CK_LANES_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CK_LANES_CLONES
#endif
#define CK_LANES_INLINE __attribute__((always_inline)) inline

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
  return F8{} + value;
}

CK_LANES_INLINE Vec mix(const Vec& a, const Vec& b, const F8& t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

CK_LANES_INLINE F8 dot(const Quat& a, const Quat& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// 1 / sqrt(x) for x > 0: an initial guess from the exponent, then three Newton steps.
CK_LANES_INLINE F8 inverseRoot(const F8& x) {
  I8 bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = 0x5f3759df - (bits >> 1);
  F8 y;
  std::memcpy(&y, &bits, sizeof y);
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

CK_LANES_INLINE Rows multiplied(const Rows& a, const Rows& b) {
  Rows m;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      m.at[row][column] = a.at[row][0] * b.at[0][column] + a.at[row][1] * b.at[1][column] +
                          a.at[row][2] * b.at[2][column];
    }
    m.at[row][3] += a.at[row][3];
  }
  return m;
}

// As above; one constant matrix on the right serves all eight lanes.
CK_LANES_INLINE Rows multiplied(const Rows& a, const float (&b)[3][4]) {
  Rows m;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      m.at[row][column] =
          a.at[row][0] * b[0][column] + a.at[row][1] * b[1][column] + a.at[row][2] * b[2][column];
    }
    m.at[row][3] += a.at[row][3];
  }
  return m;
}

#pragma GCC diagnostic pop

}  // namespace ck::lanes
