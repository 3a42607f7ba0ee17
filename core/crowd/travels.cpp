#include "core/crowd/travels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/gtc/constants.hpp>

#include "core/anim/lanes.h"
#include "core/base/assert.h"

#pragma GCC diagnostic ignored "-Wpsabi"  // see lanes.h

namespace ck {
namespace {

using D4 = double __attribute__((vector_size(32)));
using F4 = float __attribute__((vector_size(16)));

constexpr std::size_t kLanes = 4;

template <typename V, typename T>
CK_LANES_INLINE V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

CK_LANES_INLINE void storeFloats(float* to, const D4& v) {
  const F4 floats = __builtin_convertvector(v, F4);
  std::memcpy(to, &floats, sizeof floats);
}

struct SineCosine {
  D4 sine, cosine;
};

// Sine and cosine of angles in turns. The angle is reduced to [-1/2, 1/2] turns; Taylor series are
// evaluated at a quarter of it, and the angle is doubled twice. Beyond 2^51 turns the fraction is
// lost.
CK_LANES_INLINE SineCosine ofTurns(const D4& turns) {
  constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52
  const D4 rest = turns - ((turns + kRounder) - kRounder);
  const D4 bounded = rest < -0.5 ? D4{} : (rest > 0.5 ? D4{} : rest);
  const D4 x = bounded * (0.5 * glm::pi<double>());
  const D4 z = x * x;
  D4 s = x * (1.0 + z * (-1.0 / 6.0 +
                         z * (1.0 / 120.0 + z * (-1.0 / 5040.0 +
                                                 z * (1.0 / 362880.0 - z * (1.0 / 39916800.0))))));
  D4 c = 1.0 +
         z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 +
                                            z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0 +
                                                                      z * (1.0 / 479001600.0))))));
  for (int doubling = 0; doubling < 2; ++doubling) {
    const D4 twice = 2.0 * s * c;
    c = 1.0 - 2.0 * s * s;
    s = twice;
  }
  return {s, c};
}

}  // namespace

CK_LANES_CLONES void Travels::writeAll(const Columns& from, double seconds, gpu::CkPlace* places) {
  // Walkers are scattered among the actors, so their records are not in the cache. Prefetch them.
  constexpr std::size_t kAhead = 4 * kLanes;
  alignas(16) float out[7][kLanes];
  for (std::size_t i = 0; i < from.count; i += kLanes) {
    for (std::size_t next = i + kAhead; next < std::min(i + kAhead + kLanes, from.count); ++next) {
      __builtin_prefetch(&places[from.actor[next]], 1);
      __builtin_prefetch(&places[from.actor[next]].scale.z, 1);
    }
    const D4 distance = load<D4>(&from.walked[i]) + seconds * load<D4>(&from.speed[i]);
    const D4 radius = load<D4>(&from.radius[i]);
    const SineCosine half = ofTurns(distance * load<D4>(&from.turnsPerMeter[i]));
    // The position on the circle in the actor's initial space needs 1 - cos and sin of the angle.
    const D4 left = radius * 2.0 * half.sine * half.sine;
    const D4 along = radius * 2.0 * half.sine * half.cosine;
    const D4 ahead = radius == 0.0 ? distance : along;
    const D4 qx = load<D4>(&from.turn[0][i]), qy = load<D4>(&from.turn[1][i]);
    const D4 qz = load<D4>(&from.turn[2][i]), qw = load<D4>(&from.turn[3][i]);
    const D4 x = left * (1.0 - 2.0 * (qy * qy + qz * qz)) + ahead * 2.0 * (qx * qz + qy * qw);
    const D4 y = left * 2.0 * (qx * qy + qz * qw) + ahead * 2.0 * (qy * qz - qx * qw);
    const D4 z = left * 2.0 * (qx * qz - qy * qw) + ahead * (1.0 - 2.0 * (qx * qx + qy * qy));
    storeFloats(out[0], __builtin_convertvector(load<F4>(&from.start[0][i]), D4) + x);
    storeFloats(out[1], __builtin_convertvector(load<F4>(&from.start[1][i]), D4) + y);
    storeFloats(out[2], __builtin_convertvector(load<F4>(&from.start[2][i]), D4) + z);
    // turn * (rotation about +Y), by the sine and cosine of the half angle
    storeFloats(out[3], qx * half.cosine - qz * half.sine);
    storeFloats(out[4], qy * half.cosine + qw * half.sine);
    storeFloats(out[5], qz * half.cosine + qx * half.sine);
    storeFloats(out[6], qw * half.cosine - qy * half.sine);
    const std::size_t here = std::min(kLanes, from.count - i);
    for (std::size_t lane = 0; lane < here; ++lane) {
      gpu::CkPlace& place = places[from.actor[i + lane]];
      place.position = glm::vec3(out[0][lane], out[1][lane], out[2][lane]);
      place.rotation = glm::vec4(out[3][lane], out[4][lane], out[5][lane], out[6][lane]);
    }
  }
}

void Travels::Columns::add(const Travel& travel) {
  // The columns are padded to a multiple of four.
  const std::size_t slots = count / kLanes * kLanes + kLanes;
  const auto put = [&](auto& column, auto value) {
    column.resize(slots);
    column[count] = value;
  };
  put(actor, static_cast<std::uint32_t>(travel.actor));
  put(speed, travel.byCycles ? 0.0 : travel.metersPerSecond);
  put(walked, 0.0);
  put(radius, travel.radius);
  put(turnsPerMeter, travel.radius == 0.0 ? 0.0 : 1.0 / (4.0 * glm::pi<double>() * travel.radius));
  for (int axis = 0; axis < 3; ++axis) put(start[axis], travel.start[axis]);
  const glm::dquat& q = travel.turn;
  const double parts[4] = {q.x, q.y, q.z, q.w};
  for (int part = 0; part < 4; ++part) put(turn[part], parts[part]);
  ++count;
}

void Travels::add(const Travel& travel) {
  const bool moves = travel.byCycles ? travel.metersPerCycle != 0.0 : travel.metersPerSecond != 0.0;
  Columns& columns = moves ? moving_ : resting_;
  actor_.push_back(static_cast<std::uint32_t>(travel.actor));
  slot_.push_back(static_cast<std::uint32_t>(columns.count));
  moves_.push_back(moves ? 1 : 0);
  ways_.push_back(travel.byCycles ? Way::Cycles : Way::Time);
  if (moves && travel.byCycles) cyclers_.push_back(static_cast<std::uint32_t>(size() - 1));
  metersPerCycle_.push_back(travel.metersPerCycle);
  columns.add(travel);
}

void Travels::setCycles(std::size_t index, double cycles) {
  CK_ASSERT(index < size() && ways_[index] == Way::Cycles && moves_[index] != 0);
  moving_.walked[slot_[index]] = cycles * metersPerCycle_[index];
}

void Travels::goByMeters(std::size_t index) {
  CK_ASSERT(index < size());
  const auto found = std::lower_bound(cyclers_.begin(), cyclers_.end(), index);
  if (found != cyclers_.end() && *found == index) cyclers_.erase(found);
  ways_[index] = Way::Meters;
  if (moves_[index] == 0) {
    const std::size_t slot = slot_[index];
    Travel travel{.actor = actor_[index], .radius = resting_.radius[slot]};
    for (int axis = 0; axis < 3; ++axis) travel.start[axis] = resting_.start[axis][slot];
    travel.turn = glm::dquat(resting_.turn[3][slot], resting_.turn[0][slot], resting_.turn[1][slot],
                             resting_.turn[2][slot]);
    slot_[index] = static_cast<std::uint32_t>(moving_.count);
    moves_[index] = 1;
    moving_.add(travel);
  }
  moving_.speed[slot_[index]] = 0.0;
}

void Travels::setMeters(std::size_t index, double meters) {
  CK_ASSERT(index < size() && ways_[index] == Way::Meters);
  moving_.walked[slot_[index]] = meters;
}

void Travels::writePlaces(double seconds, std::span<gpu::CkPlace> places) const {
  writeAll(moving_, seconds, places.data());
}

}  // namespace ck
