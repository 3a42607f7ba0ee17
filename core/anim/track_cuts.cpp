#include "core/anim/track_cuts.h"

#include <algorithm>

#include "core/anim/clip_sampler.h"

namespace ck {
namespace {

// A key closer than this to an end of the trim counts as that end.
constexpr double kSameSeconds = 1e-9;

template <class Value>
struct Cut {
  Value value;
  Value slope = {};  // per second; zero unless the track is cubic
};

// The spline between keys k0 and k0 + 1 at `seconds`, before a rotation is normalised. Two values
// and two slopes define a cubic, so the trimmed ends continue the original curve. Summed in double,
// so that only the results are rounded.
template <class Value>
Cut<Value> splineCut(const Track<Value>& track, std::size_t k0, double seconds) {
  const double step = track.times[k0 + 1] - track.times[k0];
  const double t = (seconds - track.times[k0]) / step;
  const double t2 = t * t;
  const double t3 = t2 * t;
  using Wide = decltype(sampleTrack(track, seconds));
  const Wide p0(track.values[3 * k0 + 1]);
  const Wide m0(track.values[3 * k0 + 2]);
  const Wide m1(track.values[3 * (k0 + 1)]);
  const Wide p1(track.values[3 * (k0 + 1) + 1]);
  const auto sum = [&](double a, double b, double c, double d) {
    return Value(p0 * a + m0 * b + p1 * c + m1 * d);
  };
  return {
      sum(2 * t3 - 3 * t2 + 1, step * (t3 - 2 * t2 + t), 3 * t2 - 2 * t3, step * (t3 - t2)),
      sum((6 * t2 - 6 * t) / step, 3 * t2 - 4 * t + 1, (6 * t - 6 * t2) / step, 3 * t2 - 2 * t)};
}

// The value and slope of a track at a time, taken from the side that the trim keeps.
template <class Value>
Cut<Value> cutAt(const Track<Value>& track, double seconds, bool isEnd) {
  if (track.interpolation == Interpolation::Step) {
    return {Value(sampleTrack(track, seconds + kSameSeconds))};
  }
  if (track.interpolation == Interpolation::Linear) return {Value(sampleTrack(track, seconds))};
  const auto after =
      isEnd ? std::lower_bound(track.times.begin(), track.times.end(), seconds - kSameSeconds)
            : std::upper_bound(track.times.begin(), track.times.end(), seconds + kSameSeconds);
  if (after == track.times.begin()) return {track.values[1]};
  if (after == track.times.end()) return {track.values[track.values.size() - 2]};
  return splineCut(track, static_cast<std::size_t>(after - track.times.begin()) - 1, seconds);
}

template <class Value>
void addKey(Track<Value>& track, double seconds, const Value& in, const Value& value,
            const Value& out) {
  track.times.push_back(seconds);
  if (track.interpolation == Interpolation::Cubic) {
    track.values.insert(track.values.end(), {in, value, out});
  } else {
    track.values.push_back(value);
  }
}

}  // namespace

template <class Value>
void cutTrack(Track<Value>& track, const Trim& trim) {
  if (track.empty()) return;
  const Track<Value> whole = std::exchange(track, {});
  track.interpolation = whole.interpolation;
  const bool cubic = whole.interpolation == Interpolation::Cubic;
  const Cut<Value> first = cutAt(whole, trim.startSeconds, false);
  addKey(track, trim.startSeconds, Value{}, first.value, first.slope);
  for (std::size_t k = 0; k < whole.times.size(); ++k) {
    const double time = whole.times[k];
    if (time <= trim.startSeconds + kSameSeconds || time >= trim.endSeconds - kSameSeconds) {
      continue;
    }
    const Value* at = &whole.values[cubic ? 3 * k : k];
    // The original holds its value before the first key and after the last one, so the tangents
    // that point there must not bend the new steps to the ends of the trim.
    const Value in = k == 0 ? Value{} : at[0];
    const Value out = k + 1 == whole.times.size() ? Value{} : at[cubic ? 2 : 0];
    addKey(track, time, in, at[cubic ? 1 : 0], out);
  }
  const Cut<Value> last = cutAt(whole, trim.endSeconds, true);
  addKey(track, trim.endSeconds, last.slope, last.value, Value{});
}

template <class Value>
void retimeTrack(Track<Value>& track, double startSeconds, double rate) {
  for (double& time : track.times) time = startSeconds + (time - startSeconds) / rate;
  if (track.interpolation != Interpolation::Cubic) return;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (i % 3 != 1) track.values[i] = track.values[i] * static_cast<float>(rate);
  }
}

template void cutTrack(Track<glm::vec3>&, const Trim&);
template void cutTrack(Track<glm::quat>&, const Trim&);
template void cutTrack(Track<float>&, const Trim&);
template void retimeTrack(Track<glm::vec3>&, double, double);
template void retimeTrack(Track<glm::quat>&, double, double);
template void retimeTrack(Track<float>&, double, double);

}  // namespace ck
