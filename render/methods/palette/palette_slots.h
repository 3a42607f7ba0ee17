#pragma once

#include <cstdint>
#include <vector>

#include "core/crowd/actor_records.h"

namespace ck::render {

// The palette slot of every actor, and the actor from whose record each slot is computed. Actors at
// the same moment of the same clips share a slot; their transform and tint do not matter.
struct PaletteSlots {
  std::vector<std::uint32_t> slotOf;   // one per actor
  std::vector<std::uint32_t> actorOf;  // one per slot: the first actor that has it

  std::size_t size() const { return actorOf.size(); }
};

// Whether any actor shows a second clip.
bool anyShowsTwoClips(const ActorRecords& actors);

// Only equal moments share a slot. Without `interpolate` only the nearest frame counts.
PaletteSlots sharedSlots(const ActorRecords& actors, bool interpolate);

}  // namespace ck::render
