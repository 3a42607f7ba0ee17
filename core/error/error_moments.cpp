#include "core/error/error_moments.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

namespace ck {
namespace {

// The squared length of a cubic rotation track before it is normalised, in the interval after key
// `k`, at the share `t`.
double squaredLength(const Track<glm::quat>& track, std::size_t k, double t) {
  const double step = track.times[k + 1] - track.times[k];
  const double t2 = t * t;
  const double t3 = t2 * t;
  const double weights[] = {2.0 * t3 - 3.0 * t2 + 1.0, step * (t3 - 2.0 * t2 + t),
                            3.0 * t2 - 2.0 * t3, step * (t3 - t2)};
  const std::size_t values[] = {3 * k + 1, 3 * k + 2, 3 * k + 4, 3 * k + 3};
  glm::dvec4 sum(0.0);
  for (int i = 0; i < 4; ++i) {
    const glm::quat& q = track.values[values[i]];
    sum += weights[i] * glm::dvec4(q.x, q.y, q.z, q.w);
  }
  return glm::dot(sum, sum);
}

// The share in [low, high] at which a cubic rotation track is shortest.
double shortestShare(const Track<glm::quat>& track, std::size_t k, double low, double high) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kSteps = 30;
  for (int step = 0; step < kSteps; ++step) {
    const double a = high - kGolden * (high - low);
    const double b = low + kGolden * (high - low);
    if (squaredLength(track, k, a) < squaredLength(track, k, b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return 0.5 * (low + high);
}

// Adds the moments at which a cubic rotation track is short: the direction turns fast there.
void addFastTurns(const Track<glm::quat>& track, std::vector<double>& moments) {
  constexpr int kParts = 16;
  constexpr double kShort = 0.25;  // squared, of a unit quaternion
  if (track.interpolation != Interpolation::Cubic) return;
  for (std::size_t k = 0; k + 1 < track.times.size(); ++k) {
    std::array<double, kParts + 1> squares;
    for (int i = 0; i <= kParts; ++i) {
      squares[static_cast<std::size_t>(i)] = squaredLength(track, k, i / double{kParts});
    }
    for (std::size_t i = 1; i < kParts; ++i) {
      if (squares[i] > squares[i - 1] || squares[i] > squares[i + 1]) continue;
      const double share = shortestShare(track, k, (static_cast<double>(i) - 1.0) / kParts,
                                         (static_cast<double>(i) + 1.0) / kParts);
      if (squaredLength(track, k, share) > kShort) continue;
      moments.push_back(track.times[k] + share * (track.times[k + 1] - track.times[k]));
    }
  }
}

// All moments at which a stretch may end, ascending.
std::vector<double> cornersOf(const Clip& clip, const AtlasClip& baked, double closingSeconds,
                              bool interpolate) {
  const double end = baked.startSeconds + baked.durationSeconds;
  std::vector<double> corners = keyTimes(clip);
  if (closingSeconds > 0.0) corners.push_back(clip.startSeconds + clip.durationSeconds);
  for (const JointTracks& tracks : clip.jointTracks) addFastTurns(tracks.rotation, corners);
  const double step = baked.durationSeconds / (momentCount(baked) - 1);
  for (int moment = 0; moment < momentCount(baked); ++moment) {
    corners.push_back(baked.startSeconds + step * (interpolate ? moment : moment + 0.5));
    // Where frames are left out, half of the way between two of them may be at a moment.
    const bool jumpsAtFrames =
        !interpolate && (!baked.stepFrames.empty() || !baked.keptMoments.empty());
    if (jumpsAtFrames) corners.push_back(baked.startSeconds + step * moment);
  }
  std::erase_if(corners, [&](double time) { return !(time > baked.startSeconds && time < end); });
  corners.push_back(baked.startSeconds);
  corners.push_back(end);
  std::sort(corners.begin(), corners.end());
  return corners;
}

}  // namespace

std::vector<Stretch> stretchesOf(const Clip& clip, const AtlasClip& baked, double closingSeconds,
                                 bool interpolate) {
  // Corners closer than this are a key and its frame, written with different rounding: frameTimes()
  // samples the frame at the key.
  constexpr double kRoundingSeconds = 5e-5;
  constexpr double kEqualSeconds = 1e-9;
  constexpr double kInsetSeconds = 1e-7;
  if (!(baked.durationSeconds > 0.0)) return {{baked.startSeconds, baked.startSeconds}};
  const double step = baked.durationSeconds / (momentCount(baked) - 1);
  const double same = std::min(1e-3 * step, kRoundingSeconds);
  const bool jumps = !interpolate || hasSteps(clip) || !baked.stepFrames.empty();
  const std::vector<double> corners = cornersOf(clip, baked, closingSeconds, interpolate);
  std::vector<Stretch> stretches;
  double first = corners.front();
  double last = first;
  for (const double corner : corners) {
    if (corner - first <= same) {
      if (corner - first > kEqualSeconds) last = corner;
      continue;
    }
    if (jumps) {
      const double inset = std::min(kInsetSeconds, 1e-3 * (corner - last));
      stretches.push_back({last + inset, corner - inset});
    } else {
      // A key and its frame are one end, at the first of both.
      stretches.push_back({first, corner});
    }
    first = corner;
    last = corner;
  }
  if (stretches.empty()) return {{baked.startSeconds, corners.back()}};
  stretches.front().from = baked.startSeconds;
  if (jumps) {
    // Rounding may put the last key after the end, and the end shows its value.
    const double shown = corners.back() + kEqualSeconds;
    stretches.push_back({shown, shown});
  } else {
    stretches.back().to = corners.back();
  }
  return stretches;
}

}  // namespace ck
