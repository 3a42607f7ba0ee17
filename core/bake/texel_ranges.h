#pragma once

#include <cstddef>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/scene/character.h"

namespace ck {

// A channel that moves no vertex by that much, in millimetres, from where the middle of its range
// puts it is stored as that constant, which differs from the source only by what the source itself
// is rounded by; 16 bits would hold nothing but noise.
inline constexpr double kNarrowestRangeMm = 0.001;
// The same as a share of the character's size: larger ones are rounded more.
inline constexpr double kNarrowestRangeShare = 1e-6;

// The channels that are narrow in this sense, for one character and an atlas that has its encoding,
// components, range mode and joints.
class RangeNarrowing {
 public:
  RangeNarrowing(const Character& character, const Atlas& atlas);

  // Makes the narrow channels of some ranges of the atlas constants, from a joint's set on.
  void narrow(Atlas& atlas, std::size_t firstSet, std::size_t setCount) const;

 private:
  std::vector<double> reach_;  // per joint
  double mostMm_ = 0.0;
};

// Makes the channels of Atlas::ranges that are narrow in this sense constants. Rotations of the trs
// form keep their ranges. The atlas must have its encoding, components, range mode and joints, and
// the smallest ranges that contain its poses.
void narrowRanges(const Character& character, Atlas& atlas);

}  // namespace ck
