#pragma once

#include <array>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/scene/clip.h"

namespace ck {

// A part of a baked clip in which neither the source nor the drawn poses have a corner or a jump:
// no key, no stored frame and no switch to another frame lies inside. Seconds on the file's
// timeline.
struct Stretch {
  double from = 0.0;
  double to = 0.0;  // >= from
};

// The stretches of a clip, ascending (docs/techniques.md 3.5). They end at keys, at stored frames,
// and where a spline of rotations passes close to zero and so turns fast. Where something jumps, a
// stretch ends just before it and the next one starts just after it. `clip` is the source with its
// clip edit; `interpolate` is false if the nearest frame is drawn. A clip without length is one
// stretch without length.
std::vector<Stretch> stretchesOf(const Clip& clip, const AtlasClip& baked, double closingSeconds,
                                 bool interpolate);

// Where a stretch is measured, as shares of its length: its ends and the nodes of Gauss and
// Legendre, which lie on no grid.
inline constexpr std::array<double, 6> kShares = {
    0.0, 0.06943184420297371, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629, 1.0};

inline double momentOf(const Stretch& stretch, std::size_t moment) {
  if (moment + 1 == kShares.size()) return stretch.to;
  return stretch.from + kShares[moment] * (stretch.to - stretch.from);
}

// The errors in between, at the middles of kParts equal parts of a stretch: kBetween[part][i] is
// the weight of the error at kShares[i], by the polynomial through all of them.
inline constexpr std::size_t kParts = 5;
inline constexpr std::array<std::array<double, kShares.size()>, kParts> kBetween = [] {
  std::array<std::array<double, kShares.size()>, kParts> weights = {};
  for (std::size_t part = 0; part < kParts; ++part) {
    const double at = (static_cast<double>(part) + 0.5) / kParts;
    for (std::size_t i = 0; i < kShares.size(); ++i) {
      weights[part][i] = 1.0;
      for (std::size_t other = 0; other < kShares.size(); ++other) {
        if (other != i) weights[part][i] *= (at - kShares[other]) / (kShares[i] - kShares[other]);
      }
    }
  }
  return weights;
}();

}  // namespace ck
