#pragma once

#include "core/crowd/crowd.h"

namespace ck::render {

// The frames that the book's timing shows, for comparison. It derives the second frame from the
// length of the tick instead of taking the frame after the first (docs/techniques.md 1.4).
struct BookFrames {
  int frame = 0;        // floor of the time now
  int next = 0;         // floor of the time one tick later
  double weight = 1.0;  // weight of `next`; 1 if both frames are equal
};

// `unit` in [0, 1] is the position in the clip, `nextUnit` the position one tick later.
// `frameCount` >= 1 includes the duplicated end frame.
BookFrames bookFrames(double unit, double nextUnit, int frameCount);

// Records with the frames that the book's timing shows for ticks of `tickSeconds`: frame A is the
// first frame, frame B the second, and the fraction of A is the weight of B. There are no fades,
// because the book has no second clips. With tickSeconds < 0 the frames are those of
// docs/techniques.md 1.1, to compare skinning without timing.
OwnedActorRecords bookRecords(const Crowd& crowd, const ActorRecords& records, double tickSeconds);

}  // namespace ck::render
