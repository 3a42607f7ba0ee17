#pragma once

#include <vector>

#include "core/crowd/actor_records.h"

namespace ck::render {

// Which palette slot every actor reads, and the record that each slot is made from. Actors that
// show the same moment of the same clips share a slot, whatever their place, size and tint.
struct PaletteSlots {
  std::vector<int> slotOf;    // one per actor
  OwnedActorRecords records;  // one per slot; only frames, fractions and blend count
};

// Whether any actor's second clip is to be seen.
bool anyShowsTwoClips(const ActorRecords& actors);

// With `stepsPerFrame` > 0 fractions between frames are first rounded to that many steps and the
// blend to sixteenths, which lets more actors share and moves a pose by at most half a step; with 0
// only equal moments share. Without `interpolate` the nearest frame is all that counts.
PaletteSlots sharedSlots(const ActorRecords& actors, int stepsPerFrame, bool interpolate);

}  // namespace ck::render
