#pragma once

#include <vector>

#include "core/crowd/actor_records.h"

namespace ck::render {

// The palette slot of every actor, and the record from which each slot is computed. Actors at the
// same moment of the same clips share a slot; their transform and tint do not matter.
struct PaletteSlots {
  std::vector<int> slotOf;    // one per actor
  OwnedActorRecords records;  // one per slot; only frames, fractions and blend are used
};

// Whether any actor shows a second clip.
bool anyShowsTwoClips(const ActorRecords& actors);

// Only equal moments share a slot. Without `interpolate` only the nearest frame counts.
PaletteSlots sharedSlots(const ActorRecords& actors, bool interpolate);

}  // namespace ck::render
