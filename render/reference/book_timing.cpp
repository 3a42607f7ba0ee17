#include "render/reference/book_timing.h"

#include <algorithm>

#include "core/anim/playback.h"
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
    const BookFrames frames = bookFrames(unit, next, clip.lastInterval() + 2);
    shown.frameA = clip.firstFrame + frameOfMoment(frames.frame, frameGridOf(clip));
    shown.frameB = clip.firstFrame + frameOfMoment(frames.next, frameGridOf(clip));
    // On the way to a step frame the pose before the step is shown.
    const bool ahead = frames.next > frames.frame;
    shown.frameB -= ahead && std::ranges::binary_search(clip.stepFrames, frames.next) ? 1 : 0;
    shown.alphaA = static_cast<float>(frames.weight);
  }
  return timed;
}

}  // namespace ck::render
