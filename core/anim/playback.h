#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/names.h"

namespace ck {

// What an actor does at the ends of a clip.
enum class LoopMode { Loop, Once, PingPong };

inline constexpr std::string_view kLoopModeNames[] = {"loop", "once", "ping-pong"};
inline std::string_view loopModeName(LoopMode mode) {
  return nameOf(kLoopModeNames, mode);
}

// The two stored frames around a time, and the fraction from frame0 to frame1.
struct FramePair {
  int frame0 = 0;
  int frame1 = 0;      // frame0 + 1, or frame0 if the clip has one frame
  double alpha = 0.0;  // in [0, 1]
};

// Step frames (docs/techniques.md 1.6). The moments of a clip lie evenly from its start to its end:
// 0, 1, ... A moment at which something jumps has two stored frames, first the pose just before it
// and then the pose at it; every other moment has one. `stepFrames` are the moments with two,
// ascending, at least 1. Below, `frameCount` counts stored frames.

// The normative time formulae (docs/techniques.md 1.1). `cycles` is phase + offset in lengths of
// the clip, with any sign. All functions give a value in range for every finite input.

// Position in the clip, in [0, 1].
double unitTime(double cycles, LoopMode mode);

// The number of moments: the stored frames without the second ones of step frames.
int momentCount(int frameCount, std::span<const int> stepFrames);

// The stored frame that shows a moment, of two the second one.
int frameOfMoment(int moment, std::span<const int> stepFrames);

// The moment that a stored frame belongs to.
int momentOfFrame(int frame, std::span<const int> stepFrames);

// The frames around `unit` in [0, 1]. `frameCount` >= 1 counts the duplicated end frame. At 1 the
// last frame is shown.
FramePair framesAt(double unit, int frameCount, std::span<const int> stepFrames = {});

// The nearest stored frame: of moment floor(x + 0.5), of two frames the one on the side of `unit`.
int nearestFrame(double unit, int frameCount, std::span<const int> stepFrames = {});

// Phase in cycles after `seconds` at `rate` (1 = as authored, any sign), starting from phase 0. 0
// for a clip of length 0.
double phaseAfter(double seconds, double rate, double durationSeconds);

// The phase reduced to one period for storage: [0, 1) for Loop, [0, 2) for PingPong. For Once it is
// clamped so that phase + offset stays in [0, 1].
double wrapPhase(double phase, double offset, LoopMode mode);

// Looping clips in integers, so that any number of ticks leaves no drift and every processor finds
// the same place (docs/techniques.md 1.2). A place is a fraction of 2^32 of the clip; it wraps by
// itself. Times are counted in units of 2^-24 s, modulo 2^64.
inline constexpr int kLoopUnitBits = 24;
std::uint64_t loopTime(double seconds);
// How far a loop goes in one unit of time, as a fraction of 2^64 of the clip. 0 for a clip of
// length 0.
std::uint64_t loopPace(double rate, double durationSeconds);
// The place of an offset in cycles.
std::uint32_t loopStart(double offset);
inline std::uint32_t loopPlace(std::uint32_t start, std::uint64_t time, std::uint64_t pace) {
  return start + static_cast<std::uint32_t>((time * pace) >> 32);
}
// The position in the clip, in [0, 1).
double loopUnit(std::uint32_t place);

}  // namespace ck
