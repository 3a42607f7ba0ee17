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

// Only equal moments share a slot. Without `interpolate` the nearest frame is all that counts.
PaletteSlots sharedSlots(const ActorRecords& actors, bool interpolate);

}  // namespace ck::render
