#include "core/anim/playback.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/assert.h"

namespace ck {
namespace {

constexpr double kPlacesPerCycle = 4294967296.0;  // 2^32

// The fractional part of `cycles`, in [0, 1).
double fractionOf(double cycles) {
  const double fraction = cycles - std::floor(cycles);
  // A tiny negative number minus its floor of -1 rounds to 1.
  return fraction >= 1.0 ? 0.0 : fraction;
}

// An integer of any size, modulo 2^64. fmod() is exact, and the sign is left out of it because the
// rest of a small negative number would lose its last bits.
std::uint64_t wrapped(double integer) {
  if (!std::isfinite(integer)) return 0;
  const auto rest = static_cast<std::uint64_t>(std::fmod(std::abs(integer), 0x1p64));
  return std::signbit(integer) ? std::uint64_t{0} - rest : rest;
}

}  // namespace

double unitTime(double cycles, LoopMode mode) {
  switch (mode) {
    case LoopMode::Loop:
      return fractionOf(cycles);
    case LoopMode::Once:
      return std::clamp(cycles, 0.0, 1.0);
    case LoopMode::PingPong: {
      const double there = 2.0 * fractionOf(cycles * 0.5);
      return there > 1.0 ? 2.0 - there : there;
    }
  }
  return 0.0;
}

int momentCount(int frameCount, std::span<const int> stepFrames) {
  return frameCount - static_cast<int>(stepFrames.size());
}

int frameOfMoment(int moment, std::span<const int> stepFrames) {
  const auto doubled = std::ranges::upper_bound(stepFrames, moment) - stepFrames.begin();
  return moment + static_cast<int>(doubled);
}

int momentOfFrame(int frame, std::span<const int> stepFrames) {
  // The second frame of step frame i is stepFrames[i] + i + 1.
  int before = 0;
  while (before < static_cast<int>(stepFrames.size()) &&
         stepFrames[static_cast<std::size_t>(before)] + before + 1 <= frame) {
    ++before;
  }
  return frame - before;
}

FramePair framesAt(double unit, int frameCount, std::span<const int> stepFrames) {
  CK_ASSERT(frameCount >= 1);
  if (frameCount == 1) return {};
  const int last = momentCount(frameCount, stepFrames) - 1;
  const double x = std::clamp(unit, 0.0, 1.0) * last;
  if (x >= last) return {frameCount - 2, frameCount - 1, 1.0};
  const int moment = static_cast<int>(x);
  const int frame0 = frameOfMoment(moment, stepFrames);
  return {frame0, frame0 + 1, x - moment};
}

int nearestFrame(double unit, int frameCount, std::span<const int> stepFrames) {
  const FramePair pair = framesAt(unit, frameCount, stepFrames);
  return pair.alpha < 0.5 ? pair.frame0 : pair.frame1;
}

double phaseAfter(double seconds, double rate, double durationSeconds) {
  return durationSeconds > 0.0 ? seconds * rate / durationSeconds : 0.0;
}

double wrapPhase(double phase, double offset, LoopMode mode) {
  switch (mode) {
    case LoopMode::Loop:
      return fractionOf(phase);
    case LoopMode::Once:
      return std::clamp(phase, -offset, 1.0 - offset);
    case LoopMode::PingPong:
      return 2.0 * fractionOf(phase * 0.5);
  }
  return 0.0;
}

std::uint64_t loopTime(double seconds) {
  return wrapped(std::nearbyint(std::ldexp(seconds, kLoopUnitBits)));
}

std::uint64_t loopPace(double rate, double durationSeconds) {
  const double cyclesPerSecond = phaseAfter(1.0, rate, durationSeconds);
  return wrapped(std::nearbyint(std::ldexp(cyclesPerSecond, 64 - kLoopUnitBits)));
}

std::uint32_t loopStart(double offset) {
  return static_cast<std::uint32_t>(wrapped(std::nearbyint(offset * kPlacesPerCycle)));
}

double loopUnit(std::uint32_t place) {
  return place / kPlacesPerCycle;
}

}  // namespace ck
