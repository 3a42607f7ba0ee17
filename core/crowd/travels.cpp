#include "core/crowd/travels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/gtc/constants.hpp>

#include "core/anim/playback.h"
#include "core/base/assert.h"
#include "core/base/lanes.h"

namespace ck {
namespace {

using namespace lanes;

constexpr std::size_t kLanes = 8;
constexpr std::size_t kHalf = 4;

// Two times four numbers as eight floats.
CK_LANES_INLINE F8 floatsOf(const D4& low, const D4& high) {
  return joined(__builtin_convertvector(low, F4), __builtin_convertvector(high, F4));
}

// The fraction of turns in [-1/2, 1/2]. Beyond 2^51 turns it is lost.
CK_LANES_INLINE D4 restOf(const D4& turns) {
  constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52
  const D4 rest = turns - ((turns + kRounder) - kRounder);
  return rest < -0.5 ? D4{} : (rest > 0.5 ? D4{} : rest);
}

struct SineCosine {
  F8 sine, cosine;
};

// Sine and cosine of angles in turns, in [-1/2, 1/2], by Taylor series of half of the angle, which
// is doubled. They are off by less than 3e-7.
CK_LANES_INLINE SineCosine ofTurns(const F8& turns) {
  const F8 x = turns * glm::pi<float>();
  const F8 z = x * x;
  const F8 s =
      x * (1.0f +
           z * (-1.0f / 6.0f +
                z * (1.0f / 120.0f +
                     z * (-1.0f / 5040.0f + z * (1.0f / 362880.0f - z * (1.0f / 39916800.0f))))));
  const F8 c =
      1.0f + z * (-0.5f + z * (1.0f / 24.0f +
                               z * (-1.0f / 720.0f +
                                    z * (1.0f / 40320.0f +
                                         z * (-1.0f / 3628800.0f + z * (1.0f / 479001600.0f))))));
  return {2.0f * s * c, 1.0f - 2.0f * s * s};
}

struct Rows4 {
  F4 at[4];
};

// Four of eight values of x, y, z and w as four vectors x, y, z, w.
CK_LANES_INLINE Rows4 transposed(const F4& x, const F4& y, const F4& z, const F4& w) {
  const F4 xy = __builtin_shufflevector(x, y, 0, 4, 1, 5);
  const F4 zw = __builtin_shufflevector(z, w, 0, 4, 1, 5);
  const F4 xyUpper = __builtin_shufflevector(x, y, 2, 6, 3, 7);
  const F4 zwUpper = __builtin_shufflevector(z, w, 2, 6, 3, 7);
  return {{__builtin_shufflevector(xy, zw, 0, 1, 4, 5), __builtin_shufflevector(xy, zw, 2, 3, 6, 7),
           __builtin_shufflevector(xyUpper, zwUpper, 0, 1, 4, 5),
           __builtin_shufflevector(xyUpper, zwUpper, 2, 3, 6, 7)}};
}

CK_LANES_INLINE F4 highHalf(const F8& v) {
  return __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

}  // namespace

CK_LANES_INLINE void Travels::writeEights(double seconds, std::span<gpu::CkPlace> places) const {
  // Walkers are scattered among the actors, so their records are not in the cache. Prefetch them.
  constexpr std::size_t kAhead = 2 * kLanes;
  const std::size_t count = actor_.size();
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t next = i + kAhead; next < std::min(i + kAhead + kLanes, count); ++next) {
      __builtin_prefetch(&places[actor_[next]], 1);
      __builtin_prefetch(&places[actor_[next]].scale.z, 1);
    }
    // In double up to here, because distances grow.
    const D4 low = load<D4>(&meters_[i]) + seconds * load<D4>(&speed_[i]);
    const D4 high = load<D4>(&meters_[i + kHalf]) + seconds * load<D4>(&speed_[i + kHalf]);
    const SineCosine half = ofTurns(floatsOf(restOf(low * load<D4>(&turnsPerMeter_[i])),
                                             restOf(high * load<D4>(&turnsPerMeter_[i + kHalf]))));
    // The position on the circle in the actor's initial space needs 1 - cos and sin of the angle.
    const F8 radius = load<F8>(&radius_[i]);
    const F8 left = radius * 2.0f * half.sine * half.sine;
    const F8 along = radius * 2.0f * half.sine * half.cosine;
    const F8 ahead = radius == 0.0f ? floatsOf(low, high) : along;
    const F8 qx = load<F8>(&turn_[0][i]), qy = load<F8>(&turn_[1][i]);
    const F8 qz = load<F8>(&turn_[2][i]), qw = load<F8>(&turn_[3][i]);
    const F8 x = load<F8>(&start_[0][i]) + left * (1.0f - 2.0f * (qy * qy + qz * qz)) +
                 ahead * 2.0f * (qx * qz + qy * qw);
    const F8 y = load<F8>(&start_[1][i]) + left * 2.0f * (qx * qy + qz * qw) +
                 ahead * 2.0f * (qy * qz - qx * qw);
    const F8 z = load<F8>(&start_[2][i]) + left * 2.0f * (qx * qz - qy * qw) +
                 ahead * (1.0f - 2.0f * (qx * qx + qy * qy));
    // turn * (rotation about +Y), by the sine and cosine of the half angle
    const F8 rx = qx * half.cosine - qz * half.sine;
    const F8 ry = qy * half.cosine + qw * half.sine;
    const F8 rz = qz * half.cosine + qx * half.sine;
    const F8 rw = qw * half.cosine - qy * half.sine;
    const auto write = [&](std::size_t first, const Rows4& position, const Rows4& rotation) {
      const std::size_t here = first < count ? std::min(kHalf, count - first) : 0;
      for (std::size_t lane = 0; lane < here; ++lane) {
        gpu::CkPlace& place = places[actor_[first + lane]];
        std::memcpy(&place.position, &position.at[lane], sizeof place.position);
        std::memcpy(&place.rotation, &rotation.at[lane], sizeof place.rotation);
      }
    };
    write(i, transposed(lowHalf(x), lowHalf(y), lowHalf(z), F4{}),
          transposed(lowHalf(rx), lowHalf(ry), lowHalf(rz), lowHalf(rw)));
    write(i + kHalf, transposed(highHalf(x), highHalf(y), highHalf(z), F4{}),
          transposed(highHalf(rx), highHalf(ry), highHalf(rz), highHalf(rw)));
  }
}
CK_LANES_CLONES void Travels::writeBest(double seconds, std::span<gpu::CkPlace> places) const {
  writeEights(seconds, places);
}
void Travels::writePlaces(double seconds, std::span<gpu::CkPlace> places) const {
  writeBest(seconds, places);
}

void Travels::add(const Actor& actor, std::size_t index, double metersPerSecond) {
  const std::size_t travel = actor_.size();
  fastest_ = std::max(fastest_, std::abs(metersPerSecond));
  actor_.push_back(static_cast<std::uint32_t>(index));
  if (index >= numbers_.size()) numbers_.resize(index + 1);
  numbers_[index] = static_cast<std::uint32_t>(travel + 1);
  const auto put = [&](auto& column, auto value) {
    column.resize(travel / kLanes * kLanes + kLanes);
    column[travel] = value;
  };
  put(speed_, metersPerSecond);
  put(meters_, 0.0);
  put(radius_, actor.turnRadius);
  const double radius = static_cast<double>(actor.turnRadius);
  put(turnsPerMeter_, radius == 0.0 ? 0.0 : 1.0 / (4.0 * glm::pi<double>() * radius));
  for (int axis = 0; axis < 3; ++axis) put(start_[axis], actor.position[axis]);
  const glm::dquat turn = turnOf(actor.rotationDegrees);
  for (int part = 0; part < 4; ++part)
    put(turn_[part], static_cast<float>(turn[part]));  // glm indexes x, y, z, w
}

// The last travel takes the place of the one that goes.
void Travels::remove(std::size_t index) {
  if (!has(index)) return;
  const std::size_t travel = numbers_[index] - 1;
  const std::size_t last = actor_.size() - 1;
  const double speed = std::abs(speed_[travel]);
  const auto move = [&](auto& column) { column[travel] = column[last]; };
  move(actor_);
  move(speed_);
  move(meters_);
  move(radius_);
  move(turnsPerMeter_);
  std::ranges::for_each(start_, move);
  std::ranges::for_each(turn_, move);
  numbers_[actor_[travel]] = static_cast<std::uint32_t>(travel + 1);
  numbers_[index] = 0;
  actor_.pop_back();
  // The speed of one that stands still by now is not known.
  if (speed != 0.0 && speed < fastest_) return;
  fastest_ = 0.0;
  for (std::size_t i = 0; i < last; ++i) fastest_ = std::max(fastest_, std::abs(speed_[i]));
}

std::optional<SteadyWalk> Travels::steadyWalkOf(std::size_t index) const {
  const std::size_t travel = numbers_[index] - 1;
  if (speed_[travel] == 0.0 || radius_[travel] == 0.0f) return std::nullopt;
  const auto part = [travel](const auto& columns, int i) { return columns[i][travel]; };
  return SteadyWalk{.position = {part(start_, 0), part(start_, 1), part(start_, 2)},
                    .rotation = {part(turn_, 0), part(turn_, 1), part(turn_, 2), part(turn_, 3)},
                    .radius = radius_[travel],
                    // Half turns a second, as loops have cycles.
                    .pace = loopPace(speed_[travel] * turnsPerMeter_[travel], 1.0)};
}

}  // namespace ck
