#include "render/reference/book_timing.h"

#include <algorithm>

#include "core/base/assert.h"

namespace ck::render {

BookFrames bookFrames(double unit, double nextUnit, int frameCount) {
  CK_ASSERT(frameCount >= 1);
  const int steps = frameCount - 1;
  const auto floorOf = [steps](double at) {
    return std::min(static_cast<int>(std::clamp(at, 0.0, 1.0) * steps), steps);
  };
  BookFrames frames;
  frames.frame = floorOf(unit);
  frames.next = floorOf(nextUnit);
  if (frames.frame == frames.next) return frames;
  // The book takes an earlier next frame for one of the next cycle, so that backward playback gets
  // a weight near 0.
  const int apart = frames.next - frames.frame + (frames.next < frames.frame ? steps : 0);
  frames.weight = apart == 0 ? 1.0 : (std::clamp(unit, 0.0, 1.0) * steps - frames.frame) / apart;
  return frames;
}

}  // namespace ck::render
