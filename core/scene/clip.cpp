#include "core/scene/clip.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ck {

bool sameTimes(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

std::vector<double> keyTimes(const Clip& clip) {
  // Most tracks of a file have the same times. Comparing with the last few lists is enough to leave
  // them out, and cannot become slow where all lists differ.
  constexpr std::size_t kCompared = 4;
  std::vector<const std::vector<double>*> lists;
  const auto add = [&lists](const std::vector<double>& more) {
    const std::size_t first = lists.size() < kCompared ? 0 : lists.size() - kCompared;
    for (std::size_t i = first; i < lists.size(); ++i) {
      if (sameTimes(*lists[i], more)) return;
    }
    if (!more.empty()) lists.push_back(&more);
  };
  for (const JointTracks& tracks : clip.jointTracks) {
    add(tracks.translation.times);
    add(tracks.rotation.times);
    add(tracks.scale.times);
  }
  for (const MorphTrack& track : clip.morphTracks) add(track.weight.times);
  std::vector<double> times;
  for (const std::vector<double>* list : lists)
    times.insert(times.end(), list->begin(), list->end());
  if (lists.size() > 1) std::sort(times.begin(), times.end());
  const auto same = [](double a, double b) { return b - a < 1e-9; };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  return times;
}

double keyRoundingSeconds(double seconds) {
  return std::abs(seconds) * 1.2e-7;
}

bool hasSteps(const Clip& clip) {
  const auto steps = [](const auto& track) {
    return track.interpolation == Interpolation::Step && track.times.size() > 1;
  };
  return std::any_of(clip.jointTracks.begin(), clip.jointTracks.end(),
                     [&](const JointTracks& t) {
                       return steps(t.translation) || steps(t.rotation) || steps(t.scale);
                     }) ||
         std::any_of(clip.morphTracks.begin(), clip.morphTracks.end(),
                     [&](const MorphTrack& t) { return steps(t.weight); });
}

namespace {

// Whether all times lie within 1e-3 steps of the uniform grid that starts at the first time.
bool onGrid(const std::vector<double>& times, double step) {
  return std::all_of(times.begin(), times.end(), [&](double time) {
    const double x = (time - times.front()) / step;
    // Allow for the rounding of both ends on long timelines as well.
    const double tolerance = std::max(1e-3, 2.0 * keyRoundingSeconds(time) / step);
    return std::abs(x - std::round(x)) <= std::min(tolerance, 0.05);
  });
}

// Candidate steps, most likely first: the median distance of two keys, the smallest distance, and,
// for files in which most keys were removed, fractions of the median.
std::vector<double> likelySteps(const std::vector<double>& times) {
  constexpr double kSameMoment = 1e-5;
  constexpr double kFinest = 1.0 / 250.0;
  constexpr int kMostParts = 16;
  std::vector<double> steps;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double step = times[i] - times[i - 1];
    if (step > kSameMoment) steps.push_back(step);
  }
  if (steps.empty()) return {};
  std::sort(steps.begin(), steps.end());
  const double median = steps[steps.size() / 2];
  std::vector<double> likely = {median};
  if (steps.front() >= kFinest) likely.push_back(steps.front());
  for (int part = 2; part <= kMostParts && median / part >= kFinest; ++part) {
    likely.push_back(median / part);
  }
  return likely;
}

// How many steps of about `step` lie between the first and the last time. They are counted from
// time to time: on a long timeline the distance of two float times is too inexact to divide the
// whole window by it.
double stepsBetween(const std::vector<double>& times, double step) {
  double count = 0.0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    count += std::round((times[i] - times[i - 1]) / step);
  }
  return count;
}

}  // namespace

std::optional<KeyGrid> keyGrid(const Clip& clip) {
  const std::vector<double> times = keyTimes(clip);
  if (times.size() < 2) return std::nullopt;
  const double window = times.back() - times.front();
  for (const double likely : likelySteps(times)) {
    const double count = stepsBetween(times, likely);
    if (count < 1.0 || count > 10'000'000.0) continue;
    const double step = window / count;
    if (onGrid(times, step)) return KeyGrid{step, static_cast<int>(count) + 1};
  }
  return std::nullopt;
}

}  // namespace ck
