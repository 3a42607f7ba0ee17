#include "render/skinning/palette_slots.h"

#include <bit>
#include <cmath>
#include <unordered_map>

namespace ck::render {
namespace {

constexpr float kBlendSteps = 16.0f;

// What two actors must agree in to look the same but for their place.
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

float rounded(float fraction, int steps) {
  return steps > 0 ? std::round(fraction * float(steps)) / float(steps) : fraction;
}

// A record with its moment rounded.
gpu::CkActor quantised(const gpu::CkActor& actor, int steps, bool interpolate) {
  gpu::CkActor record = actor;
  const bool fades = showsTwoClips(actor);
  const float low = interpolate ? rounded(actor.positionAlphaA.w, steps)
                                : std::floor(actor.positionAlphaA.w + 0.5f);
  const float high =
      interpolate ? rounded(actor.scaleAlphaB.w, steps) : std::floor(actor.scaleAlphaB.w + 0.5f);
  record.positionAlphaA.w = low;
  record.scaleAlphaB.w = fades ? high : 0.0f;
  record.frames.y = fades ? actor.frames.y : -1;
  float blend = fades ? gpu::ck_lookBlend(actor.frames.w) : 0.0f;
  if (steps > 0) blend = std::round(blend * kBlendSteps) / kBlendSteps;
  record.frames.w = gpu::ck_packLook(blend, 0, 0);
  return record;
}

Moment momentOf(const gpu::CkActor& record) {
  return {record.frames.x, record.frames.y, std::bit_cast<std::uint32_t>(record.positionAlphaA.w),
          std::bit_cast<std::uint32_t>(record.scaleAlphaB.w), record.frames.w};
}

}  // namespace

bool showsTwoClips(const gpu::CkActor& record) {
  return record.frames.y >= 0 && gpu::ck_lookBlend(record.frames.w) > 0.0f;
}

PaletteSlots sharedSlots(std::span<const gpu::CkActor> actors, int stepsPerFrame,
                         bool interpolate) {
  PaletteSlots slots;
  slots.slotOf.reserve(actors.size());
  std::unordered_map<Moment, int, MomentHash> slotOf;
  slotOf.reserve(actors.size());
  for (const gpu::CkActor& actor : actors) {
    const gpu::CkActor record = quantised(actor, stepsPerFrame, interpolate);
    const auto [at, isNew] =
        slotOf.try_emplace(momentOf(record), static_cast<int>(slots.records.size()));
    if (isNew) slots.records.push_back(record);
    slots.slotOf.push_back(at->second);
  }
  return slots;
}

}  // namespace ck::render
