#include "core/bake/pose_lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/bake/pose/lane_math.h"
#include "core/bake/single_poses.h"
#include "core/base/assert.h"

namespace ck {
namespace {

using namespace lanes;

CK_LANES_INLINE I8 all32(int value) {
  return I8{value, value, value, value, value, value, value, value};
}

// 1 / sqrt(x) by the processor's own instructions, which are exactly rounded everywhere. They have
// a shorter latency than Newton's steps, and here every step waits for the one before.
CK_LANES_INLINE F8 oneOverRoot(const F8& x) {
  float roots[kCount];
  store(roots, x);
  for (float& root : roots) root = std::sqrt(root);
  return 1.0f / load<F8>(roots);
}
CK_LANES_INLINE F8 dot(const Vec& a, const Vec& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
CK_LANES_INLINE Vec times(const Vec& v, const F8& factor) {
  return {v.x * factor, v.y * factor, v.z * factor};
}
CK_LANES_INLINE Vec minus(const Vec& a, const Vec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
CK_LANES_INLINE Vec cross(const Vec& a, const Vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A column of the linear part.
CK_LANES_INLINE Vec column(const LanePose& pose, int index) {
  return {load<F8>(pose.rows[0][index]), load<F8>(pose.rows[1][index]),
          load<F8>(pose.rows[2][index])};
}

// The unit quaternion of a rotation matrix with these columns, its largest component positive.
CK_LANES_INLINE Quat quatOf(const Vec& a, const Vec& b, const Vec& c) {
  const F8 xx = 1.0f + a.x - b.y - c.z;
  const F8 yy = 1.0f - a.x + b.y - c.z;
  const F8 zz = 1.0f - a.x - b.y + c.z;
  const F8 ww = 1.0f + a.x + b.y + c.z;
  const F8 xw = b.z - c.y;
  const F8 yw = c.x - a.z;
  const F8 zw = a.y - b.x;
  const F8 xy = a.y + b.x;
  const F8 xz = a.z + c.x;
  const F8 yz = b.z + c.y;
  Quat q{xw, yw, zw, ww};
  F8 most = ww;
  const auto take = [&](const F8& square, const Quat& other) __attribute__((always_inline)) {
    const I8 more = square > most;
    most = more ? square : most;
    q = {more ? other.x : q.x, more ? other.y : q.y, more ? other.z : q.z, more ? other.w : q.w};
  };
  take(xx, {xx, xy, xz, xw});
  take(yy, {xy, yy, yz, yw});
  take(zz, {xz, yz, zz, zw});
  const F8 size = oneOverRoot(lanes::dot(q, q));
  return {q.x * size, q.y * size, q.z * size, q.w * size};
}

using Value = F8[4];

CK_LANES_INLINE void read(const float (&from)[4][kCount], Value& value) {
  for (int i = 0; i < 4; ++i) value[i] = load<F8>(from[i]);
}
CK_LANES_INLINE void write(const Value& value, float (&to)[4][kCount]) {
  for (int i = 0; i < 4; ++i) store(to[i], value[i]);
}

// Writes eight bytes of each of eight moments: two words.
CK_LANES_INLINE void writeWords(const I8& first, const I8& second, const LaneTexels& texels,
                                std::size_t offset) {
  const I8 pairs[2] = {__builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11),
                       __builtin_shufflevector(first, second, 4, 12, 5, 13, 6, 14, 7, 15)};
  const auto* from = reinterpret_cast<const std::byte*>(pairs);
  for (std::size_t lane = 0; lane < texels.count; ++lane) {
    std::memcpy(texels.at[lane] + offset, from + 8 * lane, 8);
  }
}

CK_LANES_INLINE void writeBits16(const I8 (&bits)[4], const LaneTexels& texels,
                                 std::size_t offset) {
  writeWords(bits[0] | (bits[1] << 16), bits[2] | (bits[3] << 16), texels, offset);
}

CK_LANES_INLINE void writeBits8(const I8 (&bits)[4], const LaneTexels& texels, std::size_t offset) {
  const I8 word = bits[0] | (bits[1] << 8) | (bits[2] << 16) | (bits[3] << 24);
  const auto* from = reinterpret_cast<const std::byte*>(&word);
  for (std::size_t lane = 0; lane < texels.count; ++lane) {
    std::memcpy(texels.at[lane] + offset, from + 4 * lane, 4);
  }
}

CK_LANES_INLINE void writeFloats(const Value& value, const LaneTexels& texels, std::size_t offset) {
  F8 v[4] = {value[0], value[1], value[2], value[3]};
  transpose(v);
  const auto* from = reinterpret_cast<const std::byte*>(v);
  for (std::size_t lane = 0; lane < texels.count; ++lane) {
    // Vector k has lanes k and k + 4, of 16 bytes each.
    std::memcpy(texels.at[lane] + offset, from + 32 * (lane % 4) + 16 * (lane / 4), 16);
  }
}

// The bits of the nearest 16-bit float; larger numbers become the largest.
CK_LANES_INLINE I8 halfBits(const F8& value) {
  constexpr float kLargest = 65504.0f;
  constexpr float kLeastNormal = 6.103515625e-5f;
  const F8 held = smaller(larger(value, all(-kLargest)), all(kLargest));
  const I8 bits = std::bit_cast<I8>(held);
  const I8 sign = (bits >> 16) & 0x8000;
  const F8 size = magnitude(held);
  // Rebased from an exponent of 127 to one of 15, and rounded.
  const I8 normal = (std::bit_cast<I8>(size) - ((127 - 15) << 23) + 0x1000) >> 13;
  // The sum has the small number in its lowest bits, in steps of 2^-24.
  const I8 small = std::bit_cast<I8>(size + 0.5f) - 0x3f000000;
  return sign | (size < kLeastNormal ? small : normal);
}

constexpr float topOf(TexelFormat format) {
  return format == TexelFormat::Rgba8 ? 255.0f : 65535.0f;
}

// The bits of a number in -1..1, which a product of unit quaternions may leave by rounding.
CK_LANES_INLINE I8 signedBits(const F8& value, float top) {
  const F8 held = smaller(larger(value, all(-1.0f)), all(1.0f));
  return __builtin_convertvector(held * (0.5f * top) + (0.5f * top + 0.5f), I8);
}

// Writes integers of 8 or 16 bits; words of 32 bits hold two of 16 one after the other (U128).
CK_LANES_INLINE void writeBits(TexelFormat format, const I8 (&bits)[4], const LaneTexels& texels,
                               std::size_t offset) {
  if (format == TexelFormat::Rgba8) return writeBits8(bits, texels, offset);
  writeBits16(bits, texels, offset);
}

// Stores a value that needs no range.
CK_LANES_INLINE void writeAtOnce(TexelFormat format, const Value& value, const LaneTexels& texels,
                                 std::size_t offset) {
  if (format == TexelFormat::Rgba32F) return writeFloats(value, texels, offset);
  I8 bits[4];
  if (format == TexelFormat::Rgba16F) {
    for (int i = 0; i < 4; ++i) bits[i] = halfBits(value[i]);
    return writeBits16(bits, texels, offset);
  }
  for (int i = 0; i < 4; ++i) bits[i] = signedBits(value[i], topOf(format));
  writeBits(format, bits, texels, offset);
}

CK_LANES_INLINE Quat quatOf(const Value& v) {
  return {v[0], v[1], v[2], v[3]};
}

// Lets the rotations of eight moments go on with the sign of those before, and negates what turns
// with them.
CK_LANES_INLINE void alignSigns(Value (&values)[kMostValues], bool dual, PoseTrail& trail) {
  Quat q = quatOf(values[1]);
  if (!trail.started) {
    const float first[4] = {q.x[0], q.y[0], q.z[0], q.w[0]};
    std::copy(first, first + 4, trail.first);
    std::copy(first, first + 4, trail.last);
  }
  const Quat before = q;
  alignAlong(q, trail.last);
  if (dual) {
    const F8 sign = lanes::dot(before, q) < 0.0f ? all(-1.0f) : all(1.0f);
    for (F8& number : values[0]) number *= sign;
  }
  values[1][0] = q.x;
  values[1][1] = q.y;
  values[1][2] = q.z;
  values[1][3] = q.w;
}

CK_LANES_INLINE void measure(const Value& value, std::size_t index, PoseTrail& trail) {
  for (int i = 0; i < 4; ++i) {
    float* low = trail.low[index][i];
    float* high = trail.high[index][i];
    lanes::store(low, trail.started ? smaller(load<F8>(low), value[i]) : value[i]);
    lanes::store(high, trail.started ? larger(load<F8>(high), value[i]) : value[i]);
  }
}

// Stores or keeps the values of one joint.
CK_LANES_INLINE LaneValue* storeJoint(const LaneStore& to, std::size_t joint,
                                      Value (&values)[kMostValues], LaneValue* kept) {
  PoseTrail& trail = to.trails[joint];
  const std::size_t base = joint * to.plan.bytes;
  if (to.plan.hasRotation) alignSigns(values, to.plan.dual, trail);
  for (std::size_t p = 0; p < to.plan.partCount; ++p) {
    const TexelPlan::Part& part = to.plan.parts[p];
    const Value& value = values[part.value];
    if (!part.kept) {
      writeAtOnce(encodingInfo(to.plan.code.encoding).format, value, to.texels, base + part.offset);
      continue;
    }
    write(value, kept->at);
    ++kept;
    if (part.range >= 0) measure(value, part.value, trail);
  }
  if (to.plan.dual) measure(values[2], 2, trail);
  trail.started = true;
  return kept;
}

// The dual part of the dual quaternion of v' = R (v - pivot) + position, which is t R / 2.
CK_LANES_INLINE void takeDualPart(const float (&pivot)[3], Value (&values)[kMostValues]) {
  const Quat q = quatOf(values[1]);
  const F8 x = all(pivot[0]);
  const F8 y = all(pivot[1]);
  const F8 z = all(pivot[2]);
  // The rotated pivot: v + 2 w (u x v) + 2 u x (u x v).
  const Vec u{q.x, q.y, q.z};
  const Vec once = cross(u, {x, y, z});
  const Vec twice = cross(u, once);
  const F8 tx = values[0][0] - (x + 2.0f * (q.w * once.x + twice.x));
  const F8 ty = values[0][1] - (y + 2.0f * (q.w * once.y + twice.y));
  const F8 tz = values[0][2] - (z + 2.0f * (q.w * once.z + twice.z));
  for (F8& number : values[2]) number = values[0][3];
  values[0][0] = 0.5f * (tx * q.w + ty * q.z - tz * q.y);
  values[0][1] = 0.5f * (ty * q.w + tz * q.x - tx * q.z);
  values[0][2] = 0.5f * (tz * q.w + tx * q.y - ty * q.x);
  values[0][3] = -0.5f * (tx * q.x + ty * q.y + tz * q.z);
}

CK_LANES_INLINE void storePivotsOf(const LaneStore& to, std::span<const LanePivot> pivots) {
  LaneValue* kept = to.kept;
  for (std::size_t joint = 0; joint < pivots.size(); ++joint) {
    const LanePivot& pivot = pivots[joint];
    Value values[kMostValues] = {{load<F8>(pivot.place[0]), load<F8>(pivot.place[1]),
                                  load<F8>(pivot.place[2]), load<F8>(pivot.scale)}};
    read(pivot.rotation, values[1]);
    if (to.plan.dual) takeDualPart(to.joints[joint].pivot, values);
    kept = storeJoint(to, joint, values, kept);
  }
}

// A joint in model space: its axes, and a rotation by Gram-Schmidt, of the negated axes of a
// mirrored matrix, as rotationOf() does.
struct Axes {
  Vec a, b, c, moved;
  Vec x, y, z;
  F8 determinant, sign;
  F8 lengths[3];
  F8 across;  // the length of b without its part along x
};
CK_LANES_INLINE Axes axesOf(const LaneRows& g) {
  const auto column = [&](int c) __attribute__((always_inline)) {
    return Vec{load<F8>(g.at[0][c]), load<F8>(g.at[1][c]), load<F8>(g.at[2][c])};
  };
  Axes axes;
  axes.a = column(0);
  axes.b = column(1);
  axes.c = column(2);
  axes.moved = column(3);
  axes.determinant = dot(cross(axes.a, axes.b), axes.c);
  axes.sign = axes.determinant < 0.0f ? all(-1.0f) : all(1.0f);
  const F8 aa = dot(axes.a, axes.a);
  const F8 bb = dot(axes.b, axes.b);
  const F8 cc = dot(axes.c, axes.c);
  const F8 overA = oneOverRoot(aa);
  axes.x = times(axes.a, overA * axes.sign);
  const Vec v = times(axes.b, axes.sign);
  const Vec across = minus(v, times(axes.x, dot(axes.x, v)));
  const F8 square = dot(across, across);
  const F8 overAcross = oneOverRoot(square);
  axes.y = times(across, overAcross);
  axes.z = cross(axes.x, axes.y);
  axes.lengths[0] = aa * overA;
  axes.lengths[1] = bb * oneOverRoot(bb);
  axes.lengths[2] = cc * oneOverRoot(cc);
  axes.across = square * overAcross;
  return axes;
}

// Lets the mender replace the values of some lanes of a joint.
bool mend(const LaneStore& to, std::size_t joint, const LaneRows& global, const I8& unusual,
          Value (&values)[kMostValues]) {
  LaneValue single[kMostValues];
  unsigned lanes = 0;
  for (int lane = 0; lane < kCount; ++lane) lanes |= unusual[lane] != 0 ? 1u << lane : 0u;
  for (std::size_t v = 0; v < kMostValues; ++v) write(values[v], single[v].at);
  if (!to.mender->mend(joint, global, lanes, to.trails[joint], single)) return false;
  for (std::size_t v = 0; v < kMostValues; ++v) read(single[v].at, values[v]);
  return true;
}

CK_LANES_INLINE bool storeTrsOf(const LaneStore& to, std::span<const LaneRows* const> globals) {
  constexpr float kLeast = 1e-5f;
  LaneValue* kept = to.kept;
  for (std::size_t joint = 0; joint < globals.size(); ++joint) {
    const Axes axes = axesOf(*globals[joint]);
    const Quat q = quatOf(axes.x, axes.y, axes.z);
    const Vec& moved = axes.moved;
    const float(&bind)[3] = to.joints[joint].bindScale;
    Value values[kMostValues] = {
        {moved.x, moved.y, moved.z, F8{}},
        {q.x, q.y, q.z, q.w},
        {axes.lengths[0] * axes.sign / bind[0], axes.lengths[1] * axes.sign / bind[1],
         axes.lengths[2] * axes.sign / bind[2], F8{}}};
    const F8 sum = moved.x + moved.y + moved.z + axes.determinant;
    // Written so that NaN and infinity fail.
    const I8 usual = (axes.lengths[0] > kLeast) & (axes.across > kLeast) &
                     (axes.lengths[2] > kLeast) & (sum - sum == 0.0f);
    if (anyTrue(~usual) && !mend(to, joint, *globals[joint], ~usual, values)) return false;
    kept = storeJoint(to, joint, values, kept);
  }
  return true;
}

// The linear part of a joint is R K with an upper triangular K; that of three scales is R S. A
// vertex that is y in the joint's space is drawn |(K - S) y| beside.
CK_LANES_INLINE void boundComponents(std::span<const ComponentReach> reaches,
                                     std::span<const LaneRows* const> globals,
                                     ComponentBounds& bounds) {
  F8 most[3] = {};
  const auto take = [&](int which, const F8& square) __attribute__((always_inline)) {
    // Whatever is no number stays.
    const I8 keeps = (square <= most[which]) | (most[which] != most[which]);
    most[which] = keeps ? most[which] : square;
  };
  for (std::size_t joint = 0; joint < globals.size(); ++joint) {
    const ComponentReach& reach = reaches[joint];
    if (!reach.hasVertices) continue;
    const Axes axes = axesOf(*globals[joint]);
    const Vec b = times(axes.b, axes.sign);
    const Vec c = times(axes.c, axes.sign);
    const F8 shears[3] = {dot(axes.x, b), dot(axes.x, c), dot(axes.y, c)};
    const F8 own[3] = {axes.lengths[0], axes.across, dot(axes.z, c)};
    const auto reachSquare = [&](const F8(&off)[3]) __attribute__((always_inline)) {
      const F8 rows[3][3] = {
          {off[0], shears[0], shears[1]}, {F8{}, off[1], shears[2]}, {F8{}, F8{}, off[2]}};
      F8 sum = {};
      for (const auto& row : rows) {
        F8 center = {};
        F8 half = {};
        for (int i = 0; i < 3; ++i) {
          center += row[i] * reach.center[i];
          half += magnitude(row[i]) * reach.half[i];
        }
        const F8 length = magnitude(center) + half;
        sum += length * length;
      }
      return sum;
    };
    F8 sheared[3];
    F8 scaled[3];
    for (int i = 0; i < 3; ++i) {
      sheared[i] = own[i] - axes.lengths[i];
      scaled[i] = own[i] * axes.sign - reach.bindScale[i];
    }
    const F8 away[3] = {axes.moved.x - reach.pivot[0], axes.moved.y - reach.pivot[1],
                        axes.moved.z - reach.pivot[2]};
    const F8 strays = reachSquare(scaled);
    take(0, reachSquare(sheared));
    take(1, strays);
    const F8 far = away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
    // The square of a sum: a + b + 2 sqrt(a b).
    const F8 product = far * strays;
    take(2, far + strays + 2.0f * product * inverseRoot(product + 1e-30f));
  }
  for (int i = 0; i < 3; ++i) {
    float roots[kCount];
    lanes::store(roots, most[i]);
    for (float& each : roots) each = std::sqrt(each);
    lanes::store(bounds.at[i], load<F8>(roots));
  }
}

CK_LANES_INLINE bool storeMatricesOf(const LaneStore& to, std::span<const LanePose> poses) {
  const bool atOrigin = encodingInfo(to.plan.code.encoding).atOrigin;
  LaneValue* kept = to.kept;
  I8 usual = ~I8{};
  for (std::size_t joint = 0; joint < poses.size(); ++joint) {
    const LanePose& pose = poses[joint];
    Value values[kMostValues];
    for (std::size_t row = 0; row < kMostValues; ++row) {
      read(pose.rows[row], values[row]);
      if (!atOrigin) values[row][3] = load<F8>(pose.place[row]);
      const F8 sum = values[row][0] + values[row][1] + values[row][2] + values[row][3];
      usual &= sum - sum == 0.0f;
    }
    kept = storeJoint(to, joint, values, kept);
  }
  return !anyTrue(~usual);
}

// The number of a unit quaternion that is left out, and the others, as smallestThree() in
// core/atlas/pose_code.cpp has them.
struct Three {
  I8 largest;
  F8 value;  // of the one that is left out
  F8 others[3];
};
CK_LANES_INLINE Three threeOf(const Value& q) {
  Three three{all32(3), q[3], {}};
  F8 most = magnitude(q[3]);
  for (int i = 0; i < 3; ++i) {
    const I8 more = magnitude(q[i]) > most;
    most = more ? magnitude(q[i]) : most;
    three.largest = more ? all32(i) : three.largest;
    three.value = more ? q[i] : three.value;
  }
  three.others[0] = three.largest == 0 ? q[1] : q[0];
  three.others[1] = three.largest <= 1 ? q[2] : q[1];
  three.others[2] = three.largest == 3 ? q[2] : q[3];
  return three;
}

// A number of a rotation in whole steps: q in 0..2 * middle means (q - middle) / (middle sqrt(2)).
CK_LANES_INLINE I8 stepsOf(const F8& value, float middle) {
  constexpr float kRoot = 1.41421356f;
  const F8 share = smaller(larger(value * kRoot, all(-1.0f)), all(1.0f));
  return __builtin_convertvector(share * middle + (middle + 0.5f), I8);
}

// Writes a position of 10 bits a number and a rotation (Packing::Bits10).
CK_LANES_INLINE void writeBits10(const I8 (&place)[4], const Value& rotation,
                                 const LaneTexels& texels, std::size_t offset) {
  const Three three = threeOf(rotation);
  const I8 negative = three.value < 0.0f ? all32(1 << 30) : I8{};
  const I8 first = place[0] | (place[1] << 10) | (place[2] << 20) | negative;
  const I8 second = stepsOf(three.others[0], 511.0f) | (stepsOf(three.others[1], 511.0f) << 10) |
                    (stepsOf(three.others[2], 511.0f) << 20) | (three.largest << 30);
  writeWords(first, second, texels, offset);
}

// The steps of a kept value within its range.
CK_LANES_INLINE void quantise(const Value& value, const KeptScale::Value& scale, float top,
                              I8 (&bits)[4]) {
  for (int i = 0; i < 4; ++i) {
    bits[i] = I8{};
    if (scale.perStep[i] == 0.0f) continue;
    const F8 steps = (value[i] - scale.low[i]) * scale.perStep[i] + 0.5f;
    bits[i] = __builtin_convertvector(smaller(larger(steps, F8{}), all(top)), I8);
  }
}

// Negates rotations that are stored already. A number of 16 bits and its negative lie opposite in
// the range: their bits are complements.
CK_LANES_INLINE void negateStored(TexelFormat format, const LaneTexels& texels,
                                  std::size_t offset) {
  const bool isSingle = format == TexelFormat::Rgba32F;
  const std::uint64_t flips = isSingle                         ? 0x8000000080000000u
                              : format == TexelFormat::Rgba16F ? 0x8000800080008000u
                                                               : ~std::uint64_t{0};
  for (std::size_t lane = 0; lane < texels.count; ++lane) {
    for (std::size_t half = 0; half < (isSingle ? 2u : 1u); ++half) {
      std::byte* at = texels.at[lane] + offset + 8 * half;
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, sizeof bits);
      bits ^= flips;
      std::memcpy(at, &bits, sizeof bits);
    }
  }
}

CK_LANES_INLINE void encodeKeptOf(const TexelPlan& plan, const LaneValue* kept,
                                  std::span<const KeptScale> scales, const LaneTexels& texels) {
  const EncodingInfo& info = encodingInfo(plan.code.encoding);
  const float top = info.packing == Packing::Bits10 ? 1023.0f : topOf(info.format);
  for (std::size_t joint = 0; joint < scales.size(); ++joint) {
    const KeptScale& scale = scales[joint];
    I8 place[4] = {};
    for (std::size_t p = 0; p < plan.partCount; ++p) {
      const TexelPlan::Part& part = plan.parts[p];
      const std::size_t offset = joint * plan.bytes + part.offset;
      if (!part.kept) {
        if (part.turns && scale.turned) negateStored(info.format, texels, offset);
        continue;
      }
      Value value;
      read(kept->at, value);
      ++kept;
      if (part.turns && scale.turned) {
        for (F8& number : value) number = -number;
      }
      if (part.range < 0) {
        writeBits10(place, value, texels, offset);
        continue;
      }
      quantise(value, scale.parts[p], top, place);
      if (info.packing != Packing::Bits10) writeBits(info.format, place, texels, offset);
    }
  }
}

// Which of the poses are finite and have a size.
CK_LANES_INLINE I8 pivotOf(const LanePose& pose, LanePivot& pivot, LaneMost& lostSquare) {
  constexpr float kLeastSquare = 1e-10f;
  const Vec a = column(pose, 0);
  const Vec b = column(pose, 1);
  const Vec c = column(pose, 2);
  const F8 determinant = dot(cross(a, b), c);
  const F8 sign = determinant < 0.0f ? all(-1.0f) : all(1.0f);
  const F8 size = cubeRoot(determinant * sign);
  // Gram-Schmidt, of the negated axes of a mirrored matrix, as rotationOf() does.
  const Vec u = times(a, sign);
  const Vec v = times(b, sign);
  const F8 uu = dot(u, u);
  const Vec x = times(u, oneOverRoot(uu));
  const Vec across = minus(v, times(x, dot(x, v)));
  const F8 vv = dot(across, across);
  const Vec y = times(across, oneOverRoot(vv));
  const Vec z = cross(x, y);
  const F8 moved[3] = {load<F8>(pose.place[0]), load<F8>(pose.place[1]), load<F8>(pose.place[2])};
  const F8 sum = moved[0] + moved[1] + moved[2] + determinant;
  // Written so that NaN and infinity fail.
  const I8 usual = (uu > kLeastSquare) & (vv > kLeastSquare) &
                   (determinant * sign > kLeastSquare * 1e-5f) & (sum - sum == 0.0f);
  const Quat q = quatOf(x, y, z);
  const F8 rotation[4] = {q.x, q.y, q.z, q.w};
  std::memcpy(pivot.rotation, rotation, sizeof rotation);
  std::memcpy(pivot.place, moved, sizeof moved);
  store(pivot.scale, usual ? size * sign : all(std::numeric_limits<float>::quiet_NaN()));
  const Vec lostA = minus(u, times(x, size));
  const Vec lostB = minus(v, times(y, size));
  const Vec lostC = minus(times(c, sign), times(z, size));
  const F8 lost = larger(larger(dot(lostA, lostA), dot(lostB, lostB)), dot(lostC, lostC));
  store(lostSquare.at, larger(load<F8>(lostSquare.at), usual ? lost : F8{}));
  return usual;
}

CK_LANES_INLINE bool pivotsOfAll(std::span<const LanePose> poses, std::span<LanePivot> pivots,
                                 std::span<LaneMost> lostSquares) {
  I8 usual = ~I8{};
  for (std::size_t joint = 0; joint < poses.size(); ++joint) {
    usual &= pivotOf(poses[joint], pivots[joint], lostSquares[joint]);
  }
  return !anyTrue(~usual);
}

CK_LANES_CLONES bool pivotsBest(std::span<const LanePose> poses, std::span<LanePivot> pivots,
                                std::span<LaneMost> lostSquares) {
  return pivotsOfAll(poses, pivots, lostSquares);
}
bool pivotsPlain(std::span<const LanePose> poses, std::span<LanePivot> pivots,
                 std::span<LaneMost> lostSquares) {
  return pivotsOfAll(poses, pivots, lostSquares);
}
CK_LANES_CLONES void storePivotsBest(const LaneStore& to, std::span<const LanePivot> pivots) {
  storePivotsOf(to, pivots);
}
void storePivotsPlain(const LaneStore& to, std::span<const LanePivot> pivots) {
  storePivotsOf(to, pivots);
}
CK_LANES_CLONES bool storeTrsBest(const LaneStore& to, std::span<const LaneRows* const> globals) {
  return storeTrsOf(to, globals);
}
bool storeTrsPlain(const LaneStore& to, std::span<const LaneRows* const> globals) {
  return storeTrsOf(to, globals);
}
CK_LANES_CLONES void boundBest(std::span<const ComponentReach> reaches,
                               std::span<const LaneRows* const> globals, ComponentBounds& bounds) {
  boundComponents(reaches, globals, bounds);
}
void boundPlain(std::span<const ComponentReach> reaches, std::span<const LaneRows* const> globals,
                ComponentBounds& bounds) {
  boundComponents(reaches, globals, bounds);
}
CK_LANES_CLONES bool storeMatricesBest(const LaneStore& to, std::span<const LanePose> poses) {
  return storeMatricesOf(to, poses);
}
bool storeMatricesPlain(const LaneStore& to, std::span<const LanePose> poses) {
  return storeMatricesOf(to, poses);
}
CK_LANES_CLONES void encodeBest(const TexelPlan& plan, const LaneValue* kept,
                                std::span<const KeptScale> scales, const LaneTexels& texels) {
  encodeKeptOf(plan, kept, scales, texels);
}
void encodePlain(const TexelPlan& plan, const LaneValue* kept, std::span<const KeptScale> scales,
                 const LaneTexels& texels) {
  encodeKeptOf(plan, kept, scales, texels);
}

}  // namespace

TexelPlan texelPlanOf(TexelCode code) {
  const EncodingInfo& info = encodingInfo(code.encoding);
  CK_ASSERT(standsAlone(info));
  TexelPlan plan{.code = code, .bytes = bytesPerJoint(code), .dual = info.dual};
  const bool isMatrix = info.form == PoseForm::Matrix;
  plan.hasRotation = !isMatrix;
  plan.partCount = static_cast<std::size_t>(valuesPerJoint(code));
  const std::size_t each =
      info.packing == Packing::Bits16 ? 8 : static_cast<std::size_t>(bytesPerTexel(info.format));
  for (std::size_t p = 0; p < plan.partCount; ++p) {
    TexelPlan::Part& part = plan.parts[p];
    part.value = code.components == Components::R ? 1 : p;
    const bool isRotation = !isMatrix && part.value == 1;
    part.offset = info.packing == Packing::Bits10 ? 0 : p * each;
    part.turns = isRotation || (info.dual && part.value == 0);
    const bool hasRange =
        info.ranged == RangedTexels::Each || (info.ranged == RangedTexels::First && p == 0);
    const bool isMeasured = hasRange && !(isRotation && info.fixedRotation);
    part.range = isMeasured ? static_cast<int>(p) : -1;
    // Ten bits hold a rotation and the sign beside the position.
    part.kept = isMeasured || info.packing == Packing::Bits10;
    plan.keptCount += part.kept ? 1 : 0;
  }
  return plan;
}

TexelPlan valuePlanOf(PoseForm form) {
  TexelPlan plan;
  plan.hasRotation = form != PoseForm::Matrix;
  plan.partCount = form == PoseForm::Pivot ? 2 : kMostValues;
  plan.keptCount = plan.partCount;
  for (std::size_t p = 0; p < plan.partCount; ++p) {
    plan.parts[p].value = p;
    plan.parts[p].kept = true;
  }
  return plan;
}

PoseSpan spanOf(const PoseTrail& trail) {
  PoseSpan span;
  for (std::size_t v = 0; v < kMostValues; ++v) {
    for (int i = 0; i < 4; ++i) {
      span.low[v][i] = -largest(-load<F8>(trail.low[v][i]));
      span.high[v][i] = largest(load<F8>(trail.high[v][i]));
    }
  }
  std::copy(std::begin(trail.first), std::end(trail.first), span.first);
  std::copy(std::begin(trail.last), std::end(trail.last), span.last);
  return span;
}

bool pivotsOf(std::span<const LanePose> poses, std::span<LanePivot> pivots,
              std::span<LaneMost> lostSquares, LanePath path) {
  return (path == LanePath::Best ? pivotsBest : pivotsPlain)(poses, pivots, lostSquares);
}

float largestOf(const LaneMost& most) {
  return largest(load<F8>(most.at));
}

void storePivots(const LaneStore& store, std::span<const LanePivot> pivots, LanePath path) {
  (path == LanePath::Best ? storePivotsBest : storePivotsPlain)(store, pivots);
}

bool storeTrs(const LaneStore& store, std::span<const LaneRows* const> globals, LanePath path) {
  return (path == LanePath::Best ? storeTrsBest : storeTrsPlain)(store, globals);
}

bool storeMatrices(const LaneStore& store, std::span<const LanePose> poses, LanePath path) {
  return (path == LanePath::Best ? storeMatricesBest : storeMatricesPlain)(store, poses);
}

ComponentBounds componentBounds(std::span<const ComponentReach> reaches,
                                std::span<const LaneRows* const> globals, LanePath path) {
  ComponentBounds bounds;
  (path == LanePath::Best ? boundBest : boundPlain)(reaches, globals, bounds);
  return bounds;
}

KeptScale keptScaleOf(const TexelPlan& plan, std::span<const TexelRange> ranges, bool turned) {
  const EncodingInfo& info = encodingInfo(plan.code.encoding);
  const float top = info.packing == Packing::Bits10 ? 1023.0f : topOf(info.format);
  KeptScale scale{.turned = turned};
  for (std::size_t p = 0; p < plan.partCount; ++p) {
    if (plan.parts[p].range < 0) continue;
    const TexelRange& range = ranges[static_cast<std::size_t>(plan.parts[p].range)];
    for (int i = 0; i < 4; ++i) {
      scale.parts[p].low[i] = range.low[i];
      scale.parts[p].perStep[i] = range.size[i] > 0.0f ? top / range.size[i] : 0.0f;
    }
  }
  return scale;
}

void encodeKept(const TexelPlan& plan, const LaneValue* kept, std::span<const KeptScale> scales,
                const LaneTexels& texels, LanePath path) {
  (path == LanePath::Best ? encodeBest : encodePlain)(plan, kept, scales, texels);
}

}  // namespace ck
