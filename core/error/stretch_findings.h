#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/error/error_moments.h"
#include "core/error/error_tally.h"
#include "core/error/pose_comparison.h"

namespace ck {

inline constexpr std::array<Reading, 2> kReadings = {Reading::Palette, Reading::Direct};
inline constexpr std::size_t kMeasures = 3;

// The largest value of a measure, and where it is.
struct WorstSpot {
  Spot spot;
  std::size_t clip = 0;
  double seconds = 0.0;
};
using WorstSpots = std::array<std::array<WorstSpot, kMeasures>, 2>;  // by Reading, by Measure

// Replaces what is smaller than the other value, or than those of a moment of a clip.
void improve(WorstSpot& worst, const WorstSpot& other);
void improve(WorstSpots& worsts, const Spots& spots, std::size_t clip, double seconds);

// A time between two others around which a measure may be larger than at all three.
struct ErrorCandidate {
  double expected = 0.0;  // by the polynomial through the moments of its stretch
  std::size_t clip = 0;
  double from = 0.0;
  double to = 0.0;
};

// A candidate is worth a look if it expects at least this share of the largest value that is known:
// there may be more than a polynomial expects.
inline constexpr double kWorthShare = 0.8;

// A candidate's expected error is capped at this multiple of the largest value sampled near it.
inline constexpr double kMostPromise = 2.0;

// The candidate in the first or second half of a stretch: where the polynomial through the values
// at its moments (kShares) is largest, or one of them if that is larger. Each half has one: what
// nlerp strays from an arc has a peak in both and is zero in the middle.
ErrorCandidate candidateOf(const Stretch& stretch, const std::array<double, kShares.size()>& values,
                           std::size_t half, std::size_t clip);

// Keeps the candidates of which most is expected, in the order of their times where that is equal.
void keepBest(std::vector<ErrorCandidate>& candidates, std::size_t most);

// Something that is not finite.
struct BrokenMoment {
  double seconds = 0.0;
  std::string what;  // PoseComparison::broken()
};

// The findings of comparing some stretches of a clip. The value at vertices of a moment may be too
// small where it is below kWorthShare / 2 of the largest so far, from which no candidate comes.
struct StretchFindings {
  std::array<ErrorTally, 2> shell;     // by Reading
  std::array<ErrorTally, 2> vertices;  // by Reading
  WorstSpots worsts;
  std::array<std::array<std::vector<ErrorCandidate>, kMeasures>, 2> candidates;  // as worsts
  std::optional<BrokenMoment> broken;
};

}  // namespace ck
