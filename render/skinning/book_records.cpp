#include "render/skinning/book_records.h"

#include <algorithm>

#include "core/base/assert.h"
#include "core/crowd/book_timing.h"
#include "core/crowd/playback.h"

namespace ck::render {

std::vector<gpu::CkActor> bookRecords(const Crowd& crowd, std::span<const gpu::CkActor> records,
                                      double tickSeconds) {
  CK_ASSERT(records.size() == crowd.size());
  std::vector<gpu::CkActor> timed(records.begin(), records.end());
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const CrowdClip& clip = crowd.clips()[static_cast<std::size_t>(crowd.clipOf(i))];
    gpu::CkActor& record = timed[i];
    record.frames.w &= ~1023;
    if (clip.atlasClip < 0) {
      record.frames.y = record.frames.x;
      continue;
    }
    if (tickSeconds < 0.0) {
      record.frames.y = record.frames.x + 1;
      continue;
    }
    const double unit = crowd.unitOf(i);
    const double step = phaseAfter(tickSeconds, crowd.rateOf(i), clip.durationSeconds);
    // It knows loops and clips that stop at their ends.
    const double next = crowd.loopOf(i) == LoopMode::Loop ? unitTime(unit + step, LoopMode::Loop)
                                                          : std::clamp(unit + step, 0.0, 1.0);
    const BookFrames frames = bookFrames(unit, next, clip.frameCount);
    record.frames.x = clip.firstFrame + frames.frame;
    record.frames.y = clip.firstFrame + frames.next;
    record.positionAlphaA.w = static_cast<float>(frames.weight);
  }
  return timed;
}

}  // namespace ck::render
