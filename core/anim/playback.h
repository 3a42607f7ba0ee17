#pragma once

#include <cstdint>
#include <string_view>

namespace ck {

// What happens at the ends of a clip.
enum class LoopMode { Loop, Once, PingPong };

std::string_view loopModeName(LoopMode mode);  // "loop", "once", "ping-pong"

// The two stored frames that a moment lies between, and how far along: frame0 + alpha.
struct FramePair {
  int frame0 = 0;
  int frame1 = 0;      // frame0 + 1, or frame0 for a clip of one frame
  double alpha = 0.0;  // in [0, 1]
};

// The normative time formulae (TECHNIQUES 1.4). `cycles` is phase + offset in units of the clip's
// length, any sign. All are total: they give a value in range for every finite input.

// Position in the clip, in [0, 1].
double unitTime(double cycles, LoopMode mode);

// Frames of a clip with `frameCount` >= 1 stored frames, the duplicated end frame included. `unit`
// in [0, 1].
FramePair framesAt(double unit, int frameCount);

// The nearest stored frame: floor(x + 0.5).
int nearestFrame(double unit, int frameCount);

// Phase of an actor in cycles after `seconds` at `rate` (1 = as authored, any sign), from phase 0.
// 0 for a clip of no length.
double phaseAfter(double seconds, double rate, double durationSeconds);

// Phase brought back into one period for storage: Loop [0, 1), PingPong [0, 2), Once the range in
// which phase + offset stays within [0, 1].
double wrapPhase(double phase, double offset, LoopMode mode);

// Phase of a looping clip as a 32-bit fraction that wraps by itself: adding steps for hours loses
// nothing (0.0002 cycle in 8 h at 60 Hz against 0.3 for float seconds). Steps of any sign.
std::uint32_t phaseStep(double seconds, double rate, double durationSeconds);
double phaseFromFraction(std::uint32_t fraction);

}  // namespace ck
