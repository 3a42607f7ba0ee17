#include "core/error/stretch_findings.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ck {

void improve(WorstSpot& worst, const WorstSpot& other) {
  if (other.spot.value > worst.spot.value) worst = other;
}

void improve(WorstSpots& worsts, const Spots& spots, std::size_t clip, double seconds) {
  for (std::size_t r = 0; r < spots.size(); ++r) {
    for (std::size_t m = 0; m < kMeasures; ++m) {
      improve(worsts[r][m], {spots[r][m], clip, seconds});
    }
  }
}

void keepBest(std::vector<ErrorCandidate>& candidates, std::size_t most) {
  std::ranges::stable_sort(candidates, std::greater(), &ErrorCandidate::expected);
  if (candidates.size() > most) candidates.resize(most);
}

ErrorCandidate candidateOf(const Stretch& stretch, const std::array<double, kShares.size()>& values,
                           std::size_t half, std::size_t clip) {
  constexpr double kNeighbourhood = 0.2;  // share of the stretch, to both sides
  constexpr std::size_t kMoments = kShares.size();
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(half * kMoments / 2);
  const auto top = std::max_element(first, first + kMoments / 2);
  double share = kShares[static_cast<std::size_t>(top - values.begin())];
  double expected = *top;
  for (std::size_t part = half * kParts / 2; part < (half + 1) * kParts / 2; ++part) {
    const double value =
        std::inner_product(values.begin(), values.end(), kBetween[part].begin(), 0.0);
    if (value <= expected) continue;
    expected = value;
    share = (static_cast<double>(part) + 0.5) / kParts;
  }
  const double length = stretch.to - stretch.from;
  return {std::min(expected, kMostPromise * *top), clip,
          stretch.from + length * std::max(share - kNeighbourhood, 0.0),
          stretch.from + length * std::min(share + kNeighbourhood, 1.0)};
}

}  // namespace ck
