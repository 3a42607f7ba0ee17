#pragma once

#include <string>

namespace ck {

// Weights beyond this, of either sign, are refused: integer accumulators have room for no more.
inline constexpr float kLargestMorphWeight = 16.0f;

// A named shape and how much of it is shown: 0 none, 1 all.
struct MorphWeight {
  std::string name;
  float weight = 0.0f;
  bool operator==(const MorphWeight&) const = default;
};

}  // namespace ck
