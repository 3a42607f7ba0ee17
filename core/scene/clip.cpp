#include "core/scene/clip.h"

#include <algorithm>
#include <cmath>

namespace ck {

std::vector<double> keyTimes(const Clip& clip) {
  std::vector<double> times;
  const auto add = [&times](const std::vector<double>& more) {
    times.insert(times.end(), more.begin(), more.end());
  };
  for (const JointTracks& tracks : clip.jointTracks) {
    add(tracks.translation.times);
    add(tracks.rotation.times);
    add(tracks.scale.times);
  }
  for (const MorphTrack& track : clip.morphTracks) add(track.weight.times);
  std::sort(times.begin(), times.end());
  const auto same = [](double a, double b) { return b - a < 1e-9; };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  return times;
}

std::optional<KeyGrid> keyGrid(const Clip& clip) {
  const std::vector<double> times = keyTimes(clip);
  if (times.size() < 2) return std::nullopt;
  std::vector<double> steps;
  steps.reserve(times.size() - 1);
  for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2),
                   steps.end());
  const double median = steps[steps.size() / 2];

  // The median of float key times is a little off; the whole window says it better.
  const double window = times.back() - times.front();
  const double count = std::round(window / median);
  if (count < 1.0 || count > 10'000'000.0) return std::nullopt;
  const double step = window / count;
  for (const double time : times) {
    const double x = (time - times.front()) / step;
    // Key times often come as float32: allow for its rounding on long timelines as well.
    const double tolerance = std::max(1e-3, std::abs(time) * 1.2e-7 * 2.0 / step);
    if (std::abs(x - std::round(x)) > std::min(tolerance, 0.05)) return std::nullopt;
  }
  return KeyGrid{step, static_cast<int>(count) + 1};
}

}  // namespace ck
