#include "render/methods/palette/palette_slots.h"

#include <bit>
#include <cmath>
#include <unordered_map>

namespace ck::render {
namespace {

// The properties in which two actors must agree to share a slot.
struct Moment {
  std::int32_t frameA;
  std::int32_t frameB;
  std::uint32_t alphaA;
  std::uint32_t alphaB;
  std::int32_t blend;
  bool operator==(const Moment&) const = default;
};

struct MomentHash {
  std::size_t operator()(const Moment& m) const {
    const std::uint64_t a = (std::uint64_t(std::uint32_t(m.frameA)) << 32) | m.alphaA;
    const std::uint64_t b = (std::uint64_t(std::uint32_t(m.frameB)) << 32) | m.alphaB;
    const std::hash<std::uint64_t> hash;
    const std::size_t seed = hash(a * 0x9e3779b97f4a7c15u) ^ (hash(b) + std::size_t(m.blend));
    return seed ^ (seed >> 29);
  }
};

// The frames of an actor at its moment, and the blend of its look.
struct Shown {
  gpu::CkFrames frames;
  int blend = 0;  // ck_packLook
};

Shown shownAt(const gpu::CkFrames& frames, int look, bool interpolate) {
  const auto fraction = [&](float alpha) { return interpolate ? alpha : std::floor(alpha + 0.5f); };
  Shown shown{.frames = {.frameA = frames.frameA,
                         .alphaA = fraction(frames.alphaA),
                         .frameB = -1,
                         .alphaB = 0.0f}};
  const float blend = frames.frameB >= 0 ? gpu::ck_lookBlend(look) : 0.0f;
  if (blend == 0.0f) return shown;
  shown.frames.frameB = frames.frameB;
  shown.frames.alphaB = fraction(frames.alphaB);
  shown.blend = gpu::ck_packLook(blend, 0);
  return shown;
}

Moment momentOf(const Shown& shown) {
  return {shown.frames.frameA, shown.frames.frameB,
          std::bit_cast<std::uint32_t>(shown.frames.alphaA),
          std::bit_cast<std::uint32_t>(shown.frames.alphaB), shown.blend};
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
  std::unordered_map<Moment, int, MomentHash> slotOf;
  slotOf.reserve(actors.size());
  for (std::size_t actor = 0; actor < actors.size(); ++actor) {
    const gpu::CkFrames& frames = actors.frames()[actor];
    // Only an actor with a second clip has a blend, so few places are read.
    const int look = frames.frameB >= 0 ? actors.places()[actor].look : 0;
    const Shown shown = shownAt(frames, look, interpolate);
    const auto [at, isNew] =
        slotOf.try_emplace(momentOf(shown), static_cast<int>(slots.records.size()));
    if (isNew) {
      gpu::CkPlace place = {};
      place.look = shown.blend;
      slots.records.add(place, shown.frames);
    }
    slots.slotOf.push_back(at->second);
  }
  return slots;
}

}  // namespace ck::render
