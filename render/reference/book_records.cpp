#include "render/reference/book_records.h"

#include <algorithm>

#include "core/anim/playback.h"
#include "core/base/assert.h"
#include "render/reference/book_timing.h"

namespace ck::render {

OwnedActorRecords bookRecords(const Crowd& crowd, const ActorRecords& records, double tickSeconds) {
  CK_ASSERT(records.size() == crowd.size());
  OwnedActorRecords timed{{records.places().begin(), records.places().end()},
                          {records.frames().begin(), records.frames().end()}};
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const CrowdClip& clip = crowd.clips()[static_cast<std::size_t>(crowd.clipOf(i))];
    timed.places[i].look &= ~1023;
    gpu::CkFrames& shown = timed.frames[i];
    if (clip.atlasClip < 0) {
      shown.frameB = shown.frameA;
      continue;
    }
    if (tickSeconds < 0.0) {
      shown.frameB = shown.frameA + 1;
      continue;
    }
    const double unit = crowd.unitOf(i);
    const double step = phaseAfter(tickSeconds, crowd.rateOf(i), clip.durationSeconds);
    // It knows loops and clips that stop at their ends.
    const double next = crowd.loopOf(i) == LoopMode::Loop ? unitTime(unit + step, LoopMode::Loop)
                                                          : std::clamp(unit + step, 0.0, 1.0);
    const BookFrames frames = bookFrames(unit, next, clip.frameCount);
    shown.frameA = clip.firstFrame + frames.frame;
    shown.frameB = clip.firstFrame + frames.next;
    shown.alphaA = static_cast<float>(frames.weight);
  }
  return timed;
}

}  // namespace ck::render
