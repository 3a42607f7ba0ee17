#pragma once

#include <string>

namespace ck {

// Weights with a larger magnitude are refused, because integer accumulators would overflow.
inline constexpr float kLargestMorphWeight = 16.0f;

// A morph and its weight: 0 hides the morph, 1 shows it fully.
struct MorphWeight {
  std::string name;
  float weight = 0.0f;
  bool operator==(const MorphWeight&) const = default;
};

}  // namespace ck
