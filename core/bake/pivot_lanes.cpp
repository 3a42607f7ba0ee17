#include "core/bake/pivot_lanes.h"

#include <algorithm>
#include <cmath>

#include "core/bake/lane_math.h"

namespace ck {
namespace {

using namespace lanes;

constexpr std::size_t kRotationOffset = 8;
constexpr float kTop = 65535.0f;

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

CK_LANES_INLINE void start(const Quat& q, const F8 (&place)[4], PivotTrail& trail) {
  const float first[4] = {q.x[0], q.y[0], q.z[0], q.w[0]};
  std::copy(first, first + 4, trail.first);
  std::copy(first, first + 4, trail.last);
  for (int i = 0; i < 4; ++i) {
    store(trail.low[i], place[i]);
    store(trail.high[i], place[i]);
  }
  trail.started = true;
}

// Writes four 16-bit channels of eight moments.
CK_LANES_INLINE void storeTexels(const I8& x, const I8& y, const I8& z, const I8& w,
                                 const PivotRows& rows, std::size_t offset) {
  const I8 low = x | (y << 16);
  const I8 high = z | (w << 16);
  I8 texels[2] = {__builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11),
                  __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15)};
  const auto* from = reinterpret_cast<const std::byte*>(texels);
  for (std::size_t lane = 0; lane < rows.count; ++lane) {
    std::memcpy(rows.at[lane] + offset, from + 8 * lane, 8);
  }
}

// The bits of a component in -1..1, which a product of unit quaternions may leave by rounding.
CK_LANES_INLINE I8 signedBits(const F8& value) {
  const F8 held = smaller(larger(value, all(-1.0f)), all(1.0f));
  return __builtin_convertvector(held * (0.5f * kTop) + (0.5f * kTop + 0.5f), I8);
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
  store(pivot.scale, size * sign);
  const Vec lostA = minus(u, times(x, size));
  const Vec lostB = minus(v, times(y, size));
  const Vec lostC = minus(times(c, sign), times(z, size));
  const F8 lost = larger(larger(dot(lostA, lostA), dot(lostB, lostB)), dot(lostC, lostC));
  store(lostSquare.at, larger(load<F8>(lostSquare.at), lost));
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

CK_LANES_INLINE void storeAll(std::span<const LanePivot> pivots, const PivotRows& rows,
                              std::span<PivotTrail> trails, PivotPlaces* places) {
  for (std::size_t joint = 0; joint < pivots.size(); ++joint) {
    const LanePivot& pivot = pivots[joint];
    PivotTrail& trail = trails[joint];
    Quat q{load<F8>(pivot.rotation[0]), load<F8>(pivot.rotation[1]), load<F8>(pivot.rotation[2]),
           load<F8>(pivot.rotation[3])};
    const F8 place[4] = {load<F8>(pivot.place[0]), load<F8>(pivot.place[1]),
                         load<F8>(pivot.place[2]), load<F8>(pivot.scale)};
    if (!trail.started) start(q, place, trail);
    alignAlong(q, trail.last);
    storeTexels(signedBits(q.x), signedBits(q.y), signedBits(q.z), signedBits(q.w), rows,
                joint * kPivotBytes + kRotationOffset);
    for (int i = 0; i < 4; ++i) {
      store(places[joint].at[i], place[i]);
      store(trail.low[i], smaller(load<F8>(trail.low[i]), place[i]));
      store(trail.high[i], larger(load<F8>(trail.high[i]), place[i]));
    }
  }
}

CK_LANES_INLINE void encodeAll(const PivotPlaces* places, std::span<const PivotScale> scales,
                               const PivotRows& rows) {
  for (std::size_t joint = 0; joint < scales.size(); ++joint) {
    const PivotScale& scale = scales[joint];
    I8 bits[4];
    for (int i = 0; i < 4; ++i) {
      bits[i] = I8{};
      if (scale.perStep[i] == 0.0f) continue;
      const F8 steps = (load<F8>(places[joint].at[i]) - scale.low[i]) * scale.perStep[i] + 0.5f;
      bits[i] = __builtin_convertvector(smaller(larger(steps, F8{}), all(kTop)), I8);
    }
    const std::size_t offset = joint * kPivotBytes;
    storeTexels(bits[0], bits[1], bits[2], bits[3], rows, offset);
    if (!scale.turned) continue;
    for (std::size_t lane = 0; lane < rows.count; ++lane) {
      // A component and its negative lie opposite in the range: their bits are complements.
      std::uint64_t rotation = 0;
      std::memcpy(&rotation, rows.at[lane] + offset + kRotationOffset, sizeof rotation);
      rotation = ~rotation;
      std::memcpy(rows.at[lane] + offset + kRotationOffset, &rotation, sizeof rotation);
    }
  }
}

CK_LANES_CLONES bool pivotsBest(std::span<const LanePose> poses, std::span<LanePivot> pivots,
                                std::span<LaneMost> lostSquares) {
  return pivotsOfAll(poses, pivots, lostSquares);
}
bool pivotsPlain(std::span<const LanePose> poses, std::span<LanePivot> pivots,
                 std::span<LaneMost> lostSquares) {
  return pivotsOfAll(poses, pivots, lostSquares);
}
CK_LANES_CLONES void storeBest(std::span<const LanePivot> pivots, const PivotRows& rows,
                               std::span<PivotTrail> trails, PivotPlaces* places) {
  storeAll(pivots, rows, trails, places);
}
void storePlain(std::span<const LanePivot> pivots, const PivotRows& rows,
                std::span<PivotTrail> trails, PivotPlaces* places) {
  storeAll(pivots, rows, trails, places);
}
CK_LANES_CLONES void encodeBest(const PivotPlaces* places, std::span<const PivotScale> scales,
                                const PivotRows& rows) {
  encodeAll(places, scales, rows);
}
void encodePlain(const PivotPlaces* places, std::span<const PivotScale> scales,
                 const PivotRows& rows) {
  encodeAll(places, scales, rows);
}

}  // namespace

PivotSpan spanOf(const PivotTrail& trail) {
  PivotSpan span;
  for (int i = 0; i < 4; ++i) {
    span.low[i] = -largest(-load<F8>(trail.low[i]));
    span.high[i] = largest(load<F8>(trail.high[i]));
    span.first[i] = trail.first[i];
    span.last[i] = trail.last[i];
  }
  return span;
}

bool pivotsOf(std::span<const LanePose> poses, std::span<LanePivot> pivots,
              std::span<LaneMost> lostSquares, LanePath path) {
  return (path == LanePath::Best ? pivotsBest : pivotsPlain)(poses, pivots, lostSquares);
}

float largestOf(const LaneMost& most) {
  return largest(load<F8>(most.at));
}

void storePivots(std::span<const LanePivot> pivots, const PivotRows& rows,
                 std::span<PivotTrail> trails, PivotPlaces* places, LanePath path) {
  (path == LanePath::Best ? storeBest : storePlain)(pivots, rows, trails, places);
}

PivotScale scaleOf(const TexelRange& range, bool turned) {
  PivotScale scale;
  for (int i = 0; i < 4; ++i) {
    scale.low[i] = range.low[i];
    scale.perStep[i] = range.size[i] > 0.0f ? kTop / range.size[i] : 0.0f;
  }
  scale.turned = turned;
  return scale;
}

void encodePlaces(const PivotPlaces* places, std::span<const PivotScale> scales,
                  const PivotRows& rows, LanePath path) {
  (path == LanePath::Best ? encodeBest : encodePlain)(places, scales, rows);
}

}  // namespace ck
