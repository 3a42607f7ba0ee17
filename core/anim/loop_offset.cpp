#include "core/anim/loop_offset.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/anim/clip_sampler.h"
#include "core/anim/loop_figures.h"
#include "core/anim/track_cuts.h"

namespace ck {
namespace {

constexpr double kSameSeconds = 1e-9;

// The same rotation, on the same side as `other`, so that a spline between both is short.
glm::quat besides(const glm::quat& rotation, const glm::quat& other) {
  return glm::dot(rotation, other) < 0.0f ? -rotation : rotation;
}
template <class Value>
Value besides(const Value& value, const Value&) {
  return value;
}

template <class Value>
constexpr std::size_t perKey(const Track<Value>& track) {
  return track.interpolation == Interpolation::Cubic ? 3 : 1;
}

template <class Value>
Value& valueOf(Track<Value>& track, std::size_t key) {
  const std::size_t each = perKey(track);
  return track.values[key * each + each / 2];
}

// Adds the step from the end of the clip back to its first value: straight, or a jump at its end.
template <class Value>
void closeTrack(Track<Value>& track, double startSeconds, double endSeconds, double closing) {
  if (track.empty()) return;
  // Keys at both ends of the clip.
  cutTrack(track, {startSeconds, endSeconds});
  const std::size_t last = track.times.size() - 1;
  const Value from = valueOf(track, last);
  const Value to = besides(valueOf(track, 0), from);
  track.times.push_back(endSeconds + closing);
  if (track.interpolation != Interpolation::Cubic) {
    track.values.push_back(to);
    return;
  }
  const Value slope = (to - from) * static_cast<float>(1.0 / closing);
  track.values.back() = slope;
  track.values.insert(track.values.end(), {slope, to, Value{}});
}

template <class Value>
void turnTrack(Track<Value>& track, double startSeconds, double seconds, double endSeconds) {
  if (track.empty()) return;
  const double cut = startSeconds + seconds;
  Track<Value> later = track;
  Track<Value> earlier = track;
  cutTrack(later, {cut, endSeconds});
  cutTrack(earlier, {startSeconds, cut});
  const std::size_t each = perKey(track);
  // Where both parts meet there is one key: with the loop's first value, and the slopes of both.
  const std::size_t seam = later.times.size() - 1;
  const Value before = valueOf(later, seam);
  const bool turns = besides(valueOf(earlier, 0), before) != valueOf(earlier, 0);
  for (Value& value : earlier.values) {
    if (turns) value = -value;
  }
  valueOf(later, seam) = valueOf(earlier, 0);
  if (each == 3) later.values.back() = earlier.values[2];
  track.times.clear();
  for (const double time : later.times) track.times.push_back(time - seconds);
  track.times.back() = endSeconds - seconds;
  track.values = later.values;
  for (std::size_t key = 1; key < earlier.times.size(); ++key) {
    track.times.push_back(earlier.times[key] + (endSeconds - cut));
    const auto first = earlier.values.begin() + static_cast<std::ptrdiff_t>(key * each);
    track.values.insert(track.values.end(), first, first + static_cast<std::ptrdiff_t>(each));
  }
  track.times.back() = endSeconds;
}

}  // namespace

Result<void> startLater(const Character& character, double share, std::optional<double> seamMm,
                        Clip& clip, RootWay& way) {
  if (!(share >= 0.0 && share < 1.0)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("clip '{}' cannot start at {} of its length; 0 to below 1 can be asked",
                            clip.name, share));
  }
  if (share == 0.0) return {};
  const LoopFigures figures = loopFigures(character, clip);
  const LoopGap gap = loopGap(figures, seamLimitMm(character, seamMm));
  if (gap == LoopGap::Open) {
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("clip '{}' cannot start elsewhere, because it does not close: its last "
                    "pose is up to {:.1f} mm from its first; take the loop offset away, cut the "
                    "clip to a loop, or take its way out (strip, extract)",
                    clip.name, figures.seamMm));
  }
  const double start = clip.startSeconds;
  double end = start + clip.durationSeconds;
  if (gap == LoopGap::OneStep) {
    const double closing = closingStepSeconds(clip);
    forTracks(clip, [&](auto& track) { closeTrack(track, start, end, closing); });
    end += closing;
    clip.durationSeconds += closing;
    if (!way.empty()) {
      const GroundMotion place = placeAt(way, end);
      way.times.push_back(end);
      way.places.push_back(place);
    }
  }
  const double seconds = share * clip.durationSeconds;
  // A share this small, or a clip this short, has nothing to move.
  if (seconds < kSameSeconds || clip.durationSeconds - seconds < kSameSeconds) return {};
  forTracks(clip, [&](auto& track) { turnTrack(track, start, seconds, end); });
  way = startedLater(way, seconds);
  return {};
}

}  // namespace ck
