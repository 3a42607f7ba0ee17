#include "render/methods/palette/palette_slots.h"

#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace ck::render {
namespace {

// The frames of an actor at its moment, and the blend of its look. Actors that agree to the bit
// share a slot.
struct Moment {
  gpu::CkFrames frames;
  int blend = 0;  // ck_packLook

  std::array<std::uint64_t, 2> bits() const {
    return std::bit_cast<std::array<std::uint64_t, 2>>(frames);
  }
  bool operator==(const Moment& other) const {
    return bits() == other.bits() && blend == other.blend;
  }
};

struct MomentHash {
  std::size_t operator()(const Moment& moment) const {
    const auto [a, b] = moment.bits();
    const std::hash<std::uint64_t> hash;
    const std::size_t seed = hash(a * 0x9e3779b97f4a7c15u) ^ (hash(b) + std::size_t(moment.blend));
    return seed ^ (seed >> 29);
  }
};

Moment momentAt(const gpu::CkFrames& frames, int look, bool interpolate) {
  const auto fraction = [&](float alpha) { return interpolate ? alpha : std::floor(alpha + 0.5f); };
  Moment moment{.frames = {.frameA = frames.frameA,
                           .alphaA = fraction(frames.alphaA),
                           .frameB = -1,
                           .alphaB = 0.0f}};
  const float blend = frames.frameB >= 0 ? gpu::ck_lookBlend(look) : 0.0f;
  if (blend == 0.0f) return moment;
  moment.frames.frameB = frames.frameB;
  moment.frames.alphaB = fraction(frames.alphaB);
  moment.blend = gpu::ck_packLook(blend, 0);
  return moment;
}

}  // namespace

bool anyShowsTwoClips(const ActorRecords& actors) {
  for (std::size_t actor = 0; actor < actors.size(); ++actor) {
    if (actors.frames()[actor].frameB >= 0 && gpu::ck_lookBlend(actors.places()[actor].look) > 0.0f)
      return true;
  }
  return false;
}

PaletteSlots sharedSlots(const ActorRecords& actors, bool interpolate) {
  PaletteSlots slots;
  slots.slotOf.reserve(actors.size());
  std::unordered_map<Moment, std::uint32_t, MomentHash> slotOf;
  slotOf.reserve(actors.size());
  for (std::size_t actor = 0; actor < actors.size(); ++actor) {
    const gpu::CkFrames& frames = actors.frames()[actor];
    // Only an actor with a second clip has a blend, so few places are read.
    const int look = frames.frameB >= 0 ? actors.places()[actor].look : 0;
    const Moment moment = momentAt(frames, look, interpolate);
    const auto [at, isNew] = slotOf.try_emplace(moment, static_cast<std::uint32_t>(slots.size()));
    if (isNew) slots.actorOf.push_back(static_cast<std::uint32_t>(actor));
    slots.slotOf.push_back(at->second);
  }
  return slots;
}

}  // namespace ck::render
