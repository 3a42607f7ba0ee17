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

int countUpTo(int moment, std::span<const int> moments) {
  return static_cast<int>(std::ranges::upper_bound(moments, moment) - moments.begin());
}

// Moments that have frames are counted from 0: the last of them up to `moment`.
int lastStored(int moment, const FrameGrid& grid) {
  return grid.keptMoments.empty() ? moment : countUpTo(moment, grid.keptMoments) - 1;
}
int momentAt(int stored, const FrameGrid& grid) {
  return grid.keptMoments.empty() ? stored : grid.keptMoments[static_cast<std::size_t>(stored)];
}

// The gap that contains the interval from a moment to the next one.
FrameGap gapAfter(int moment, const FrameGrid& grid) {
  const int stored = lastStored(moment, grid);
  const int from = momentAt(stored, grid);
  return {stored + countUpTo(moment, grid.stepFrames), from, momentAt(stored + 1, grid) - from};
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

int momentCount(const FrameGrid& grid) {
  if (!grid.keptMoments.empty()) return grid.keptMoments.back() + 1;
  return grid.frameCount - static_cast<int>(grid.stepFrames.size());
}

int frameOfMoment(int moment, const FrameGrid& grid) {
  return lastStored(moment, grid) + countUpTo(moment, grid.stepFrames);
}

int momentOfFrame(int frame, const FrameGrid& grid) {
  // The second frame of step frame i is the (its place among stored moments + i + 1)-th.
  int before = 0;
  for (const int step : grid.stepFrames) {
    if (lastStored(step, grid) + before + 1 > frame) break;
    ++before;
  }
  return momentAt(frame - before, grid);
}

FrameGap gapAt(double unit, const FrameGrid& grid) {
  const int last = momentCount(grid) - 1;
  const double x = std::clamp(unit, 0.0, 1.0) * last;
  if (x >= last) return {grid.frameCount - 2, last - 1, 1};
  return gapAfter(static_cast<int>(x), grid);
}

std::vector<IntervalFrames> intervalFrames(const FrameGrid& grid) {
  std::vector<IntervalFrames> intervals;
  if (grid.stepFrames.empty() && grid.keptMoments.empty()) return intervals;
  const int last = momentCount(grid) - 1;
  intervals.reserve(static_cast<std::size_t>(last) + 1);
  for (int moment = 0; moment < last; ++moment) {
    const FrameGap gap = gapAfter(moment, grid);
    intervals.push_back({gap.frame, static_cast<float>(moment - gap.moment),
                         1.0f / static_cast<float>(gap.moments)});
  }
  intervals.push_back({grid.frameCount - 2, 0.0f, 1.0f});
  return intervals;
}

FramePair framesAt(double unit, const FrameGrid& grid) {
  CK_ASSERT(grid.frameCount >= 1);
  if (grid.frameCount == 1) return {};
  const FrameGap gap = gapAt(unit, grid);
  const double x = std::clamp(unit, 0.0, 1.0) * (momentCount(grid) - 1);
  return {gap.frame, gap.frame + 1, (x - gap.moment) / gap.moments};
}

int nearestFrame(double unit, const FrameGrid& grid) {
  const FramePair pair = framesAt(unit, grid);
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
