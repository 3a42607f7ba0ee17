#pragma once

#include "core/crowd/crowd.h"

namespace ck::render {

// The records of a crowd with the frames that the write-up's timing shows when a tick lasts
// `tickSeconds`: frame A is the first, frame B the second, the fraction of A the weight of B. The
// write-up has no second clips, so nothing fades. Below 0 the frames are right, so that the
// write-up's skinning can be compared apart from its timing.
OwnedActorRecords bookRecords(const Crowd& crowd, const ActorRecords& records, double tickSeconds);

}  // namespace ck::render
