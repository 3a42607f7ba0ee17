#include "core/crowd/travels.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/base/assert.h"
#include "core/base/lanes.h"

namespace ck {
namespace {

using namespace lanes;

constexpr std::size_t kLanes = 4;

CK_LANES_INLINE void storeFloats(float* to, const D4& v) {
  store(to, __builtin_convertvector(v, F4));
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

CK_LANES_CLONES void Travels::writePlaces(double seconds, std::span<gpu::CkPlace> places) const {
  // Walkers are scattered among the actors, so their records are not in the cache. Prefetch them.
  constexpr std::size_t kAhead = 4 * kLanes;
  const std::size_t count = actor_.size();
  alignas(16) float out[7][kLanes];
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t next = i + kAhead; next < std::min(i + kAhead + kLanes, count); ++next) {
      __builtin_prefetch(&places[actor_[next]], 1);
      __builtin_prefetch(&places[actor_[next]].scale.z, 1);
    }
    const D4 distance = load<D4>(&meters_[i]) + seconds * load<D4>(&speed_[i]);
    const D4 radius = load<D4>(&radius_[i]);
    const SineCosine half = ofTurns(distance * load<D4>(&turnsPerMeter_[i]));
    // The position on the circle in the actor's initial space needs 1 - cos and sin of the angle.
    const D4 left = radius * 2.0 * half.sine * half.sine;
    const D4 along = radius * 2.0 * half.sine * half.cosine;
    const D4 ahead = radius == 0.0 ? distance : along;
    const D4 qx = load<D4>(&turn_[0][i]), qy = load<D4>(&turn_[1][i]);
    const D4 qz = load<D4>(&turn_[2][i]), qw = load<D4>(&turn_[3][i]);
    const D4 x = left * (1.0 - 2.0 * (qy * qy + qz * qz)) + ahead * 2.0 * (qx * qz + qy * qw);
    const D4 y = left * 2.0 * (qx * qy + qz * qw) + ahead * 2.0 * (qy * qz - qx * qw);
    const D4 z = left * 2.0 * (qx * qz - qy * qw) + ahead * (1.0 - 2.0 * (qx * qx + qy * qy));
    storeFloats(out[0], __builtin_convertvector(load<F4>(&start_[0][i]), D4) + x);
    storeFloats(out[1], __builtin_convertvector(load<F4>(&start_[1][i]), D4) + y);
    storeFloats(out[2], __builtin_convertvector(load<F4>(&start_[2][i]), D4) + z);
    // turn * (rotation about +Y), by the sine and cosine of the half angle
    storeFloats(out[3], qx * half.cosine - qz * half.sine);
    storeFloats(out[4], qy * half.cosine + qw * half.sine);
    storeFloats(out[5], qz * half.cosine + qx * half.sine);
    storeFloats(out[6], qw * half.cosine - qy * half.sine);
    const std::size_t here = std::min(kLanes, count - i);
    for (std::size_t lane = 0; lane < here; ++lane) {
      gpu::CkPlace& place = places[actor_[i + lane]];
      place.position = glm::vec3(out[0][lane], out[1][lane], out[2][lane]);
      place.rotation = glm::vec4(out[3][lane], out[4][lane], out[5][lane], out[6][lane]);
    }
  }
}

std::size_t Travels::add(const Actor& actor, std::size_t index, double metersPerSecond) {
  const std::size_t travel = actor_.size();
  actor_.push_back(static_cast<std::uint32_t>(index));
  if (index >= numbers_.size()) numbers_.resize(index + 1);
  numbers_[index] = static_cast<std::uint32_t>(travel + 1);
  const auto put = [&](auto& column, auto value) {
    column.resize(travel / kLanes * kLanes + kLanes);
    column[travel] = value;
  };
  const double radius = static_cast<double>(actor.turnRadius);
  put(speed_, metersPerSecond);
  put(meters_, 0.0);
  put(radius_, radius);
  put(turnsPerMeter_, radius == 0.0 ? 0.0 : 1.0 / (4.0 * glm::pi<double>() * radius));
  for (int axis = 0; axis < 3; ++axis) put(start_[axis], actor.position[axis]);
  const glm::dquat turn = turnOf(actor.rotationDegrees);
  for (int part = 0; part < 4; ++part) put(turn_[part], turn[part]);  // glm indexes x, y, z, w
  return travel;
}

std::optional<std::size_t> Travels::find(std::size_t index) const {
  if (index >= numbers_.size() || numbers_[index] == 0) return std::nullopt;
  return numbers_[index] - 1;
}

}  // namespace ck
