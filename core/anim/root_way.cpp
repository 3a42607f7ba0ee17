#include "core/anim/root_way.h"

#include <algorithm>
#include <cmath>

#include "core/base/assert.h"

namespace ck {
namespace {

glm::dvec3 turned(const glm::dvec3& v, double yaw) {
  if (yaw == 0.0) return v;  // most ways are straight, and sines are slow
  const double s = std::sin(yaw);
  const double c = std::cos(yaw);
  return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

// Local speeds of a part of a way: position and turn a second, seen from where the part begins.
GroundMotion speedOf(const RootWay& way, std::size_t first) {
  const double seconds = way.times[first + 1] - way.times[first];
  const GroundMotion moved = inverse(way.places[first]) * way.places[first + 1];
  return {moved.position / seconds, moved.yaw / seconds};
}

}  // namespace

GroundMotion motionOf(const RootPlace& place) {
  return {glm::dvec3(place.position), static_cast<double>(place.yaw)};
}

RootPlace placeOf(const GroundMotion& motion) {
  return {glm::vec3(motion.position), static_cast<float>(motion.yaw)};
}

glm::dmat4 toMatrix(const GroundMotion& motion) {
  const double s = std::sin(motion.yaw);
  const double c = std::cos(motion.yaw);
  return {glm::dvec4(c, 0.0, -s, 0.0), glm::dvec4(0.0, 1.0, 0.0, 0.0), glm::dvec4(s, 0.0, c, 0.0),
          glm::dvec4(motion.position, 1.0)};
}

GroundMotion operator*(const GroundMotion& first, const GroundMotion& next) {
  return {first.position + turned(next.position, first.yaw), first.yaw + next.yaw};
}

GroundMotion inverse(const GroundMotion& motion) {
  return {-turned(motion.position, -motion.yaw), -motion.yaw};
}

GroundMotion power(const GroundMotion& motion, double times) {
  // The sum of the shifts of all passes, each turned by the passes before it, is the shift turned
  // by half of all but one, and this much as long (a sum of unit vectors on a circle).
  constexpr double kStraight = 1e-9;
  const double half = 0.5 * motion.yaw;
  const double sine = std::sin(half);
  // After whole turns sine is tiny too, but then half is not.
  const double length = std::abs(half) < kStraight ? times
                        : std::abs(sine) < kStraight
                            ? times * std::cos(times * half) * std::cos(half)
                            : std::sin(times * half) / sine;
  const glm::dvec3 level(motion.position.x, 0.0, motion.position.z);
  glm::dvec3 position = turned(level * length, (times - 1.0) * half);
  position.y = times * motion.position.y;
  return {position, times * motion.yaw};
}

GroundMotion mix(const GroundMotion& a, const GroundMotion& b, double t) {
  return {a.position + (b.position - a.position) * t, a.yaw + (b.yaw - a.yaw) * t};
}

GroundMotion scaled(const GroundMotion& motion, double factor) {
  return {motion.position * factor, motion.yaw};
}

GroundMotion placeAt(const RootWay& way, double seconds) {
  if (way.empty()) return {};
  const std::size_t last = way.times.size() - 1;
  if (seconds <= way.times.front() || last == 0) return way.places.front();
  if (seconds > way.times.back()) {
    const double after = seconds - way.times.back();
    const GroundMotion speed = mix(speedOf(way, 0), speedOf(way, last - 1), 0.5);
    return way.places.back() * GroundMotion{speed.position * after, speed.yaw * after};
  }
  const auto next = static_cast<std::size_t>(
      std::lower_bound(way.times.begin(), way.times.end(), seconds) - way.times.begin());
  const double step = way.times[next] - way.times[next - 1];
  return mix(way.places[next - 1], way.places[next], (seconds - way.times[next - 1]) / step);
}

RootWay startedLater(const RootWay& way, double seconds) {
  constexpr double kSameSeconds = 1e-9;
  if (way.times.size() < 2) return way;
  const double start = way.times.front();
  const double end = way.times.back();
  const double cut = start + seconds;
  const GroundMotion back = inverse(placeAt(way, cut));
  RootWay later;
  const auto add = [&later](double time, const GroundMotion& place) {
    if (!later.empty() && time - later.times.back() < kSameSeconds) return;
    later.times.push_back(time);
    later.places.push_back(place);
  };
  add(start, {});
  for (std::size_t i = 0; i < way.times.size(); ++i) {
    if (way.times[i] > cut) add(way.times[i] - seconds, back * way.places[i]);
  }
  const GroundMotion pass = back * way.places.back();
  for (std::size_t i = 0; i < way.times.size(); ++i) {
    if (way.times[i] < cut) add(way.times[i] + (end - cut), pass * way.places[i]);
  }
  add(end, pass * placeAt(way, cut));
  return later;
}

GroundMotion wayAfter(std::span<const RootPlace> moments, double cycles, LoopMode mode) {
  CK_ASSERT(!moments.empty());
  const auto within = [moments](double unit) {
    const double x = unit * static_cast<double>(moments.size() - 1);
    const auto moment = std::min(static_cast<std::size_t>(x), moments.size() - 1);
    const auto next = std::min(moment + 1, moments.size() - 1);
    return mix(motionOf(moments[moment]), motionOf(moments[next]), x - static_cast<double>(moment));
  };
  if (mode != LoopMode::Loop) return within(unitTime(cycles, mode));
  const double passes = std::floor(cycles);
  const GroundMotion part = within(cycles - passes);
  return passes == 0.0 ? part : power(motionOf(moments.back()), passes) * part;
}

}  // namespace ck
