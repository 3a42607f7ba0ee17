#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/atlas/atlas.h"

// Compact atlases: each of their numbers of 16 bits may be a little off, by which the container's
// small form can go on where its prediction is nearly right (docs/techniques.md 3.7).
namespace ck {

inline constexpr double kMostCompactMm = 1000.0;

// Whether poses of an encoding can be compact: numbers of 16 bits for positions, quaternions and
// scales.
constexpr bool canBeCompact(const EncodingInfo& info) {
  return info.form != PoseForm::Matrix && !info.dual &&
         (info.format == TexelFormat::Rgba16 || info.packing == Packing::Bits16);
}

// Numbers of a joint in a frame: at most three texels of four.
inline constexpr std::size_t kMostNumbers = 12;

// How far each number of a joint in a clip may be off, from 0 to 32767. If no number is off by
// more, no vertex is moved by more than Atlas::compactMm in a stored frame. The atlas is compact
// and has compactReach.
std::array<int, kMostNumbers> compactSlack(const Atlas& atlas, int clip, int joint);

}  // namespace ck
