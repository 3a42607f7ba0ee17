#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/lanes.h"
#include "core/container/rice_octet.h"

// The rules by which the rice form predicts numbers, eight joints at once (docs/ckatlas-packed.md,
// "rice"). The order of all operations is part of the format, so nothing is shared with other lanes
// that might change. As lanes.h, for .cpp files only.
namespace ck::rice {

using namespace lanes;

struct alignas(32) RicePose {
  Vec place;
  Quat turn;
};
inline constexpr std::size_t kPoseFloats = 8;  // x y z 0, x y z w

// The poses of a frame, of which that of the world is known.
inline std::vector<float> blankPoses(const OctetPieces& pieces) {
  std::vector<float> poses(kPoseFloats * (pieces.unusedPose() + 1), 0.0f);
  poses[kPoseFloats * pieces.worldPose() + 7] = 1.0f;  // it is not turned
  return poses;
}

CK_LANES_INLINE Vec plus(const Vec& a, const Vec& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
CK_LANES_INLINE Vec minus(const Vec& a, const Vec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
CK_LANES_INLINE Vec times(const Vec& v, const F8& factor) {
  return {v.x * factor, v.y * factor, v.z * factor};
}
CK_LANES_INLINE Quat inverse(const Quat& q) {
  return {-q.x, -q.y, -q.z, q.w};
}
CK_LANES_INLINE Vec turned(const Quat& q, const Vec& v) {
  const Vec c = {q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y,
                 q.x * v.y - q.y * v.x + q.w * v.z};
  return {v.x + 2.0f * (q.y * c.z - q.z * c.y), v.y + 2.0f * (q.z * c.x - q.x * c.z),
          v.z + 2.0f * (q.x * c.y - q.y * c.x)};
}
CK_LANES_INLINE F8 root(const F8& x) {
  float roots[kCount];
  store(roots, x);
  for (float& value : roots) value = std::sqrt(value);
  return load<F8>(roots);
}

CK_LANES_INLINE F4 highHalf(const F8& v) {
  return __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

CK_LANES_INLINE RicePose posesAt(const float* poses,
                                 const std::array<std::size_t, kCount>& places) {
  const auto at = [&](std::size_t lane) { return poses + kPoseFloats * places[lane]; };
  F8 place[4];
  F8 turn[4];
  for (std::size_t i = 0; i < 4; ++i) {
    place[i] = joined(load<F4>(at(i)), load<F4>(at(i + 4)));
    turn[i] = joined(load<F4>(at(i) + 4), load<F4>(at(i + 4) + 4));
  }
  transpose(place);
  transpose(turn);
  return {{place[0], place[1], place[2]}, {turn[0], turn[1], turn[2], turn[3]}};
}
CK_LANES_INLINE void keepPoses(float* poses, const std::array<std::size_t, kCount>& places,
                               const RicePose& pose) {
  F8 place[4] = {pose.place.x, pose.place.y, pose.place.z, all(0.0f)};
  F8 turn[4] = {pose.turn.x, pose.turn.y, pose.turn.z, pose.turn.w};
  transpose(place);
  transpose(turn);
  for (std::size_t lane = 0; lane < kCount; ++lane) {
    float* to = poses + kPoseFloats * places[lane];
    const F8& p = place[lane % 4];
    const F8& q = turn[lane % 4];
    store(to, lane < 4 ? lowHalf(p) : highHalf(p));
    store(to + 4, lane < 4 ? lowHalf(q) : highHalf(q));
  }
}

// Predicts the numbers of an octet in one frame.
class Guesser {
 public:
  CK_LANES_INLINE explicit Guesser(int bits) : top_((1 << bits) - 1) {}

  CK_LANES_INLINE int top() const { return top_; }

  // The number of a value, which is rounded and brought between 0 and top.
  CK_LANES_INLINE I8 numberOf(const F8& value, const F8& low, const F8& perStep) const {
    const auto top = static_cast<float>(top_);
    F8 number = (value - low) * perStep + 0.5f;
    number = number > 0.0f ? number : all(0.0f);
    number = number < top ? number : all(top);
    return __builtin_convertvector(number, I8);
  }
  CK_LANES_INLINE I8 numberOf(const Octet& octet, std::size_t channel, const F8& value) const {
    return numberOf(value, octet.low[channel], octet.perStep[channel]);
  }
  CK_LANES_INLINE static F8 valueOf(const Octet& octet, std::size_t channel, const I8& number) {
    return octet.low[channel] + __builtin_convertvector(number, F8) * octet.step[channel];
  }
  CK_LANES_INLINE I8 limited(I8 number) const {
    number = number > 0 ? number : allOf(0);
    return number < top_ ? number : allOf(top_);
  }
  // A channel by itself, as it would go on evenly.
  CK_LANES_INLINE I8 evenly(const Octet& octet, std::size_t channel) const {
    return limited(2 * octet.before[channel] - octet.before2[channel]);
  }

  // The numbers of three channels of a place.
  CK_LANES_INLINE void guessPlace(const Octet& octet, std::size_t channel, const RicePose& parent,
                                  const RiceWay& way, I8 (&guess)[3]) const {
    const Offsets& o = octet.offsets;
    const I8 byMean = way.number == 0;
    const Vec going = plus(o.last, times(minus(o.last, o.before), way.onward));
    const Vec offset = {byMean ? o.mean.x : going.x, byMean ? o.mean.y : going.y,
                        byMean ? o.mean.z : going.z};
    const Vec place = plus(parent.place, turned(parent.turn, offset));
    guess[0] = numberOf(octet, channel, place.x);
    guess[1] = numberOf(octet, channel + 1, place.y);
    guess[2] = numberOf(octet, channel + 2, place.z);
  }

  CK_LANES_INLINE Quat guessTurn(const Octet& octet, const RicePose& parent,
                                 const RiceWay& way) const {
    const Turns& t = octet.turns;
    const F8& on = way.onward;
    const Quat g = {
        t.last.x + (t.last.x - t.before.x) * on, t.last.y + (t.last.y - t.before.y) * on,
        t.last.z + (t.last.z - t.before.z) * on, t.last.w + (t.last.w - t.before.w) * on};
    // Nearly divided by its length, which is nearly 1.
    const F8 size = 1.5f - 0.5f * lanes::dot(g, g);
    const Quat turn = multiplied(parent.turn, {g.x * size, g.y * size, g.z * size, g.w * size});
    return agreeing(t.whole, turn);
  }

  // As before, evenly onwards, half of that, and with the change of the step.
  CK_LANES_INLINE I8 guessPlain(const Octet& octet, std::size_t channel, const RiceWay& way) const {
    const I8 step = octet.before[channel] - octet.before2[channel];
    const I8 more = step - (octet.before2[channel] - octet.before3[channel]);
    const I8& of = way.number;
    const I8 on = of == 1 ? step : of == 2 ? step >> 1 : of == 3 ? step + more : allOf(0);
    return limited(octet.before[channel] + on);
  }

 private:
  const int top_;
};

}  // namespace ck::rice
