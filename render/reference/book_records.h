#pragma once

#include "core/crowd/crowd.h"

namespace ck::render {

// Records with the frames that the book's timing shows for ticks of `tickSeconds`: frame A is the
// first frame, frame B the second, and the fraction of A is the weight of B. There are no fades,
// because the book has no second clips. With tickSeconds < 0 the frames are those of
// docs/techniques.md 1.1, to compare skinning without timing.
OwnedActorRecords bookRecords(const Crowd& crowd, const ActorRecords& records, double tickSeconds);

}  // namespace ck::render
