#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/anim/playback.h"

// The place in a clip of any loop mode, in integers, so that shaders find it to the bit
// (docs/techniques.md 1.2). Loops are those of playback.h. Clips that play once or there and back
// count 2^31 places from their first pose to their last, so that 2^32 are the way there and back.
namespace ck {

inline constexpr std::uint32_t kPlacesOneWay = 0x80000000u;

// A number of integers of 63 bits at most, as its nearest one in two's complement; 0 if it is not
// finite.
inline std::uint64_t nearestHeld(double number) {
  constexpr double kMost = 0x1.fffffffffffffp62;
  if (!std::isfinite(number)) return 0;
  return static_cast<std::uint64_t>(
      static_cast<std::int64_t>(std::clamp(std::nearbyint(number), -kMost, kMost)));
}

// As loopTime(), but held at 2^39 s (17,000 years) instead of beginning again: what plays once ends
// once.
inline std::uint64_t heldTime(double seconds) {
  return nearestHeld(std::ldexp(seconds, kLoopUnitBits));
}

// How far a clip goes in a unit of time, as loopPace(). It takes two or more to play once.
inline std::uint64_t clipPace(double rate, double durationSeconds, LoopMode mode) {
  if (mode == LoopMode::Loop) return loopPace(rate, durationSeconds);
  if (mode == LoopMode::PingPong) return loopPace(0.5 * rate, durationSeconds);
  return nearestHeld(std::ldexp(phaseAfter(1.0, 0.5 * rate, durationSeconds), 64 - kLoopUnitBits));
}

// The place of an offset in cycles. A clip that plays once starts within its ends.
inline std::uint32_t clipStart(double offset, LoopMode mode) {
  if (mode == LoopMode::Once) return loopStart(0.5 * std::clamp(offset, 0.0, 1.0));
  return loopStart(mode == LoopMode::PingPong ? 0.5 * offset : offset);
}

// The place of a clip that plays once, at a heldTime().
inline std::uint32_t placeOnce(std::uint32_t start, std::uint64_t time, std::uint64_t pace) {
  const auto magnitudeOf = [](std::uint64_t x) { return x >> 63 != 0 ? std::uint64_t{0} - x : x; };
  const std::uint64_t units = magnitudeOf(time);
  const std::uint64_t speed = magnitudeOf(pace);
  // From 2^63 on the product is more than the whole clip.
  constexpr std::uint64_t kMost = (std::uint64_t{1} << 63) - 1;
  const bool isOver = speed != 0 && units > kMost / speed;
  const std::uint32_t gone =
      isOver ? kPlacesOneWay : static_cast<std::uint32_t>((units * speed) >> 32);
  if ((time ^ pace) >> 63 != 0) return start - std::min(start, gone);
  return start + std::min(kPlacesOneWay - start, gone);
}

// The position in the clip, in [0, 1], from clipStart() and clipPace().
inline double clipUnit(std::uint32_t start, std::uint64_t pace, double seconds, LoopMode mode) {
  if (mode == LoopMode::Loop) return loopUnit(loopPlace(start, loopTime(seconds), pace));
  if (mode == LoopMode::Once) return 2.0 * loopUnit(placeOnce(start, heldTime(seconds), pace));
  const std::uint32_t place = loopPlace(start, loopTime(seconds), pace);
  return 2.0 * loopUnit(place > kPlacesOneWay ? 0 - place : place);
}

}  // namespace ck
