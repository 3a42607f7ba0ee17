#include "core/anim/playback.h"

#include <algorithm>
#include <cmath>

#include "core/base/assert.h"

namespace ck {
namespace {

constexpr double kFractionsPerCycle = 4294967296.0;  // 2^32

// The fractional part of `cycles`, in [0, 1).
double fractionOf(double cycles) {
  const double fraction = cycles - std::floor(cycles);
  // A tiny negative number minus its floor of -1 rounds to 1.
  return fraction >= 1.0 ? 0.0 : fraction;
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

FramePair framesAt(double unit, int frameCount) {
  CK_ASSERT(frameCount >= 1);
  if (frameCount == 1) return {};
  const double x = std::clamp(unit, 0.0, 1.0) * (frameCount - 1);
  FramePair pair;
  pair.frame0 = std::min(static_cast<int>(x), frameCount - 2);
  pair.frame1 = pair.frame0 + 1;
  pair.alpha = x - pair.frame0;
  return pair;
}

int nearestFrame(double unit, int frameCount) {
  CK_ASSERT(frameCount >= 1);
  const double x = std::clamp(unit, 0.0, 1.0) * (frameCount - 1);
  return std::min(static_cast<int>(std::floor(x + 0.5)), frameCount - 1);
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

std::uint32_t phaseStep(double seconds, double rate, double durationSeconds) {
  const double fraction = fractionOf(phaseAfter(seconds, rate, durationSeconds));
  // If the fraction rounds up to 2^32, the conversion wraps to 0, which is correct.
  return static_cast<std::uint32_t>(std::llround(fraction * kFractionsPerCycle));
}

double phaseFromFraction(std::uint32_t fraction) {
  return fraction / kFractionsPerCycle;
}

}  // namespace ck
