#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/names.h"

namespace ck {

// The behaviour of an actor at the ends of a clip.
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

// Which moments of a clip are stored. The moments lie evenly from its start to its end: 0, 1, ...
// Most have one stored frame. A moment at which something jumps has two, first the pose just before
// it and then the pose at it (step frames, docs/techniques.md 1.6). A moment that interpolation
// gives back has none (docs/techniques.md 1.8).
struct FrameGrid {
  int frameCount = 1;                     // stored frames; >= 1
  std::span<const int> stepFrames = {};   // moments with two frames, ascending, at least 1
  std::span<const int> keptMoments = {};  // moments with frames, ascending, the first and the last
                                          // among them; empty: all
};
// The grid of an AtlasClip, a BakeWindow or a CrowdClip, which must outlive it.
template <class Clip>
FrameGrid frameGridOf(const Clip& clip) {
  return {clip.frameCount, clip.stepFrames, clip.keptMoments};
}

// The most intervals between two stored frames that files may have. It bounds the memory of what
// has an entry for every moment.
inline constexpr int kLongestGap = 255;

// From a stored frame to the next one.
struct FrameGap {
  int frame = 0;
  int moment = 0;   // of that frame
  int moments = 1;  // from there to the moment of the next frame
};

// The data that shaders read in place of FrameGap: at the fraction f of an interval between two
// moments, (offset + f) * share of the way from `frame` to the next frame is shown.
struct IntervalFrames {
  std::int32_t frame = 0;
  float offset = 0.0f;
  float share = 1.0f;
};

// The normative time formulae (docs/techniques.md 1.1). `cycles` is phase + offset in lengths of
// the clip, with any sign. All functions give a value in range for every finite input.

// Position in the clip, in [0, 1].
double unitTime(double cycles, LoopMode mode);

// The number of moments, stored or not.
int momentCount(const FrameGrid& grid);

// The stored frame that shows a moment, of two the second one; of a moment without frames the last
// frame before it.
int frameOfMoment(int moment, const FrameGrid& grid);

// The moment that a stored frame belongs to.
int momentOfFrame(int frame, const FrameGrid& grid);

// The gap that contains `unit` in [0, 1] of a clip of at least two frames. At 1 it is the last
// frame and the one before it.
FrameGap gapAt(double unit, const FrameGrid& grid);

// One entry for each interval, and one for the end of the clip, which shows the last frame. Empty
// if every moment has one frame.
std::vector<IntervalFrames> intervalFrames(const FrameGrid& grid);

// The frames around `unit` in [0, 1]. At 1 the last frame is shown.
FramePair framesAt(double unit, const FrameGrid& grid);

// The nearest stored frame, of two at one moment the one on the side of `unit`.
int nearestFrame(double unit, const FrameGrid& grid);

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
